package mcpserver

import (
	"context"
	"slices"
	"sync"

	"acc/tools"

	"github.com/go-json-experiment/json/jsontext"
)

// watches are the resources that are watched for a connection: one watch for
// each resource, however many subscribers it has, and none without one.
type watches struct {
	conn *conn
	ctx  context.Context
	stop context.CancelFunc
	all  sync.WaitGroup // the watches that are not over

	// Notices go out under mu. So what is sent to a subscriber comes after the
	// acknowledgement of its subscription and before the answer that ends it.
	mu    sync.Mutex
	byURI map[string]*watch
}

// watch is one resource that is watched.
type watch struct {
	stop        context.CancelFunc
	done        chan struct{} // closed when nothing of it is left
	subscribers []*subscriber
}

// subscriber is whom notices are for.
type subscriber struct {
	ctx  context.Context // nothing is sent once it has ended
	meta map[string]jsontext.Value
}

func newWatches(c *conn) *watches {
	w := &watches{conn: c, byURI: map[string]*watch{}}
	w.ctx, w.stop = context.WithCancel(c.ctx)
	return w
}

// subscribe adds a subscriber to a resource, once.
func (w *watches) subscribe(s *subscriber, r tools.Resource) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.add(s, r)
}

// listen adds a subscriber to several resources and says, before anything is
// sent, which of them are watched.
func (w *watches) listen(s *subscriber, resources []tools.Resource, acknowledge func(watched []string)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var watched []string
	for _, r := range resources {
		if err := w.add(s, r); err != nil {
			w.conn.log.Warn("a resource cannot be watched, and the client is told that it is not", "uri", r.URI, "error", err)
			continue
		}
		watched = append(watched, r.URI)
	}
	acknowledge(watched)
}

func (w *watches) add(s *subscriber, r tools.Resource) error {
	running := w.byURI[r.URI]
	if running == nil {
		ctx, stop := context.WithCancel(w.ctx)
		changes, err := r.Watch(ctx)
		if err != nil {
			stop()
			return err
		}
		running = &watch{stop: stop, done: make(chan struct{})}
		w.byURI[r.URI] = running
		w.all.Go(func() { w.tell(running, r.URI, changes) })
	}
	if !slices.Contains(running.subscribers, s) {
		running.subscribers = append(running.subscribers, s)
	}
	return nil
}

// tell sends a notice to every subscriber for each signal. While a client does
// not read, signals become one.
func (w *watches) tell(running *watch, uri string, changes <-chan struct{}) {
	defer close(running.done)
	for range changes {
		w.mu.Lock()
		for _, s := range running.subscribers {
			if s.ctx.Err() == nil { // an id is free for another listen as soon as it has
				_ = w.conn.send(updated(uri, s.meta)) // a broken stdout has been noted
			}
		}
		w.mu.Unlock()
	}
}

// leave takes a subscriber from resources. It returns when nothing is left of
// the watches that nobody needs any more.
func (w *watches) leave(s *subscriber, uris ...string) {
	var over []*watch
	w.mu.Lock()
	for _, uri := range uris {
		running := w.byURI[uri]
		if running == nil {
			continue
		}
		running.subscribers = slices.DeleteFunc(running.subscribers, func(other *subscriber) bool { return other == s })
		if len(running.subscribers) == 0 {
			delete(w.byURI, uri)
			over = append(over, running)
		}
	}
	w.mu.Unlock()
	for _, running := range over {
		running.stop()
		<-running.done
	}
}

// close ends every watch, and waits for that. No call is under way any more.
func (w *watches) close() {
	w.stop()
	w.all.Wait()
}

type updatedParams struct {
	Meta map[string]jsontext.Value `json:"_meta,omitempty"`
	URI  string                    `json:"uri"`
}

func updated(uri string, meta map[string]jsontext.Value) wireNotice {
	return wireNotice{Method: "notifications/resources/updated", Params: updatedParams{meta, uri}}
}
