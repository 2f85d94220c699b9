package main

import "slices"

// panel is one plot: lines over an axis, both logarithmic.
type panel struct {
	Title, X string
	Unit     func(float64) string
	Lines    []line
}

type line struct {
	Name   string
	Floor  bool
	Points []point
}

type point struct{ X, Y float64 }

// costs are the panels of the cost by messages, one for each floor.
func (r *run) costs() []panel {
	all := r.of("Room")
	titles := map[string]string{"readdir": "Reading", "append": "Writing", "start": "A command"}
	var panels []panel
	for _, floor := range []string{"readdir", "append", "start"} {
		under := slices.DeleteFunc(slices.Clone(all), func(res result) bool { name, _ := res.floor(); return name != floor })
		if len(under) == 0 {
			continue
		}
		p := panel{Title: titles[floor], X: "messages in the room", Unit: duration}
		for _, op := range ops(under) {
			p.Lines = append(p.Lines, lineOf(op, under, op, "p50-µs"))
		}
		at := lineOf("floor: "+floorWords[floor], under, under[0].op, floor+"-µs")
		at.Floor = true
		p.Lines = append(p.Lines, at)
		panels = append(panels, p)
	}
	return panels
}

// writers are the panels of many processes.
func (r *run) writers() []panel {
	all := r.of("Writers")
	waits := panel{Title: "Wait of one send", X: "writers", Unit: duration}
	for _, l := range []struct{ name, unit string }{{"median", "p50-µs"}, {"p99", "p99-µs"}, {"longest", "longest-µs"}} {
		waits.Lines = append(waits.Lines, lineOf(l.name, all, "", l.unit))
	}
	floor := lineOf("floor: one append", all, "", "append-µs")
	floor.Floor = true
	waits.Lines = append(waits.Lines, floor)
	return []panel{
		{
			Title: "Sends a second, all writers together", X: "writers", Unit: func(n float64) string { return number(int(n)) },
			Lines: []line{lineOf("sends a second", all, "", "sends/s")},
		},
		waits,
	}
}

// lineOf is one metric of an operation along the axis.
func lineOf(name string, results []result, op, unit string) line {
	l := line{Name: name}
	for _, n := range points(results) {
		if res, ok := find(results, op, n); ok && res.metrics[unit] > 0 {
			l.Points = append(l.Points, point{float64(n), res.metrics[unit]})
		}
	}
	return l
}
