package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strings"
	"text/template"
)

// Sizes of a drawing, in its own units.
const (
	panelWidth, plotLeft, plotTop = 340, 62, 40
	plotWidth, plotHeight         = 262, 220
	rightMargin                   = 20 // half of the last label
	legendTop, legendLine         = plotTop + plotHeight + 52, 18
)

// span is the whole decades that an axis covers.
type span struct{ low, high float64 }

func (s span) share(v float64) float64 { return (math.Log10(v) - s.low) / (s.high - s.low) }

// spans finds the decades of a panel.
func (p panel) spans() (x, y span) {
	x, y = span{math.Inf(1), math.Inf(-1)}, span{math.Inf(1), math.Inf(-1)}
	for _, l := range p.Lines {
		for _, pt := range l.Points {
			x = span{min(x.low, math.Log10(pt.X)), max(x.high, math.Log10(pt.X))}
			y = span{min(y.low, math.Log10(pt.Y)), max(y.high, math.Log10(pt.Y))}
		}
	}
	return x.whole(), y.whole()
}

func (s span) whole() span {
	low, high := math.Floor(s.low), math.Ceil(s.high)
	if math.IsInf(low, 0) || math.IsInf(high, 0) {
		return span{0, 1}
	}
	return span{low, max(high, low+1)}
}

// tick is a line of the grid with its label.
type tick struct {
	At    float64
	Label string
}

func ticks(s span, at func(float64) float64, label func(float64) string) (all []tick) {
	for decade := s.low; decade <= s.high; decade++ {
		value := math.Pow(10, decade)
		all = append(all, tick{at(value), label(value)})
	}
	return all
}

// plot is a panel with everything in its place.
type plot struct {
	panel
	Left   float64
	XTicks []tick
	YTicks []tick
	Curves []curve
}

type curve struct {
	Name, Class, Path string
	Dots              []point
	LegendY           float64
}

func place(p panel, i int) plot {
	x, y := p.spans()
	atX := func(v float64) float64 { return plotLeft + plotWidth*x.share(v) }
	atY := func(v float64) float64 { return plotTop + plotHeight*(1-y.share(v)) }
	out := plot{panel: p, Left: float64(i * panelWidth)}
	out.XTicks = ticks(x, atX, func(v float64) string { return number(int(v)) })
	out.YTicks = ticks(y, atY, p.Unit)
	for n, l := range p.Lines {
		c := curve{Name: l.Name, Class: fmt.Sprintf("c%d", n%6), LegendY: float64(legendTop + n*legendLine)}
		if l.Floor {
			c.Class = "floor"
		}
		var path []string
		for _, pt := range l.Points {
			c.Dots = append(c.Dots, point{atX(pt.X), atY(pt.Y)})
			path = append(path, fmt.Sprintf("%.1f,%.1f", atX(pt.X), atY(pt.Y)))
		}
		c.Path = strings.Join(path, " ")
		out.Curves = append(out.Curves, c)
	}
	return out
}

// draw makes one SVG of panels, side by side. It follows the reader's choice
// of light or dark.
func draw(panels []panel) []byte {
	d := struct {
		Width, Height                int
		PlotLeft, PlotRight, PlotTop int
		PlotBottom, Middle, XLabel   int
		Plots                        []plot
	}{
		Width: panelWidth*len(panels) + rightMargin, PlotLeft: plotLeft, PlotRight: plotLeft + plotWidth, PlotTop: plotTop,
		PlotBottom: plotTop + plotHeight, Middle: plotLeft + plotWidth/2, XLabel: plotTop + plotHeight + 34,
	}
	most := 0
	for i, p := range panels {
		d.Plots = append(d.Plots, place(p, i))
		most = max(most, len(p.Lines))
	}
	d.Height = legendTop + most*legendLine
	var b bytes.Buffer
	if err := drawing.Execute(&b, d); err != nil {
		panic(err) // the template and its data are both of this file
	}
	return b.Bytes()
}

func escape(s string) (string, error) {
	var b bytes.Buffer
	err := xml.EscapeText(&b, []byte(s))
	return b.String(), err
}

var drawing = template.Must(template.New("svg").Funcs(template.FuncMap{"xml": escape}).Parse(
	`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{.Width}} {{.Height}}" width="{{.Width}}" height="{{.Height}}" role="img">
<style>
text { font: 12px sans-serif; fill: #24292f; }
.title { font-weight: bold; }
.grid { stroke: #d0d7de; stroke-width: 1; }
polyline { fill: none; stroke-width: 2; }
.c0 { stroke: #0072b2; } .c1 { stroke: #d55e00; } .c2 { stroke: #009e73; }
.c3 { stroke: #b5659b; } .c4 { stroke: #b8860b; } .c5 { stroke: #4aa3df; }
.floor { stroke: #808890; } polyline.floor { stroke-dasharray: 5 4; }
circle { fill: #ffffff; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3; } .grid { stroke: #3d444d; } circle { fill: #0d1117; }
}
</style>
{{range .Plots}}<g transform="translate({{.Left}} 0)">
<text class="title" x="{{$.PlotLeft}}" y="22">{{xml .Title}}</text>
{{range .XTicks}}<line class="grid" x1="{{printf "%.1f" .At}}" x2="{{printf "%.1f" .At}}" y1="{{$.PlotTop}}" y2="{{$.PlotBottom}}"/>
<text x="{{printf "%.1f" .At}}" y="{{$.PlotBottom}}" dy="16" text-anchor="middle">{{xml .Label}}</text>
{{end}}{{range .YTicks}}<line class="grid" x1="{{$.PlotLeft}}" x2="{{$.PlotRight}}" y1="{{printf "%.1f" .At}}" y2="{{printf "%.1f" .At}}"/>
<text x="{{$.PlotLeft}}" y="{{printf "%.1f" .At}}" dx="-6" dy="4" text-anchor="end">{{xml .Label}}</text>
{{end}}<text x="{{$.Middle}}" y="{{$.XLabel}}" text-anchor="middle">{{xml .X}}</text>
{{range .Curves}}<polyline class="{{.Class}}" points="{{.Path}}"/>
{{$class := .Class}}{{range .Dots}}<circle class="{{$class}}" cx="{{printf "%.1f" .X}}" cy="{{printf "%.1f" .Y}}" r="3"/>
{{end}}<polyline class="{{.Class}}" points="{{$.PlotLeft}},{{.LegendY}} 86,{{.LegendY}}" transform="translate(0 -4)"/>
<text x="94" y="{{.LegendY}}">{{xml .Name}}</text>
{{end}}</g>
{{end}}</svg>
`))
