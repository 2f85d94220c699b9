package cli

import (
	"context"
	"io"
	"time"

	"acc/fsstore"
	"acc/schema"
	"acc/tools/coordination"
	"acc/tools/delivery/client"
	"acc/tools/delivery/hook"
)

// runHook reads what the client says, finds the room, and does what the event
// asks for.
func (a *App) runHook(ctx context.Context, id string, e client.Event, in hookFlags) error {
	policy := schema.DeliveryPolicy(in.delivery)
	if err := checkPolicy(policy); err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(a.In, hookInput))
	if err != nil {
		return schema.Fail(schema.ReasonInvalidArguments, "the input could not be read.").Because(err)
	}
	input, err := client.Parse(id, e, data, a.Env)
	if err != nil {
		return err
	}
	w, err := a.hookWorkspace(&input)
	if err != nil || !w.Initialised {
		return err
	}
	participant := a.hookParticipant(id, in)
	if err := schema.CheckParticipantID("participant", participant); err != nil {
		return err
	}
	room := coordination.NewRoom(coordination.Config{Workspace: w, ParticipantID: participant, Env: a.environment()})
	_, err = withRoom(ctx, a, room, func(ctx context.Context, room *coordination.Room) (struct{}, error) {
		return struct{}{}, hook.Run(ctx, hook.Request{
			Workspace: w, Room: room, Participant: participant, Client: id, Policy: policy, Input: input, Now: time.Now(),
		}, a.Out)
	})
	return err
}

func checkPolicy(p schema.DeliveryPolicy) error {
	for _, known := range schema.DeliveryPolicies() {
		if string(p) == known {
			return nil
		}
	}
	return schema.Fail(schema.ReasonInvalidField, "--delivery is all, actionable or off.").With("field", "delivery")
}

// hookWorkspace finds the room of the project that the client works on. A
// place where no room can be is one without a room: hooks of a person run
// everywhere.
func (a *App) hookWorkspace(input *client.Input) (fsstore.Workspace, error) {
	dir, err := a.dir()
	if input.Dir == "" {
		input.Dir = dir
	}
	switch {
	case input.Project != "" && a.cwd == "":
		dir = input.Project
	case err != nil:
		dir = input.Dir
	}
	w, err := fsstore.Locate(dir, fsstore.Home(a.Env))
	if schema.HasReason(err, schema.ReasonWorkspaceInvalid) {
		return fsstore.Workspace{}, nil
	}
	return w, err
}

// hookParticipant is who the client is. Where its configuration can read the
// environment, a variable there goes first, as it does for its MCP server.
func (a *App) hookParticipant(id string, in hookFlags) string {
	if c, err := client.Find(id); err == nil && c.Expands {
		if name := a.Env("ACC_MCP_PARTICIPANT"); name != "" {
			return name
		}
	}
	if in.participant != "" {
		return in.participant
	}
	return id
}
