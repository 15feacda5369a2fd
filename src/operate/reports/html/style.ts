/** The look of a report: one column, light or dark as the reader prefers, and readable on paper. */
export const STYLE = `
:root { color-scheme: light dark; --page: #fbfbf9; --card: #ffffff; --text: #1c2024; --soft: #687076; --line: #e4e5e2;
  --c0: #2f6f9f; --c1: #d98c2b; --c2: #4f9a6a; --c3: #b5546b; --c4: #7c65b0; --c5: #3aa0a4; --c6: #9aa0a6;
  --c7: #8a6d3b; --c8: #5c6b73; --k0: #16425b; --k1: #2f6f9f; --k2: #5b9bc9; --k3: #8fbbdc; --k4: #b9d3e6;
  --k5: #d8e5ee; --k6: #c9cdd0 }
@media (prefers-color-scheme: dark) { :root { --page: #131517; --card: #1b1e21; --text: #e8eaed; --soft: #9aa3ab;
  --line: #2d3236; --c0: #5aa2d6; --c1: #e8a552; --c2: #6fbf8c; --c3: #dc7f95; --c4: #a08ad6; --c5: #5fc3c7;
  --c6: #737b82; --c7: #bd9a5f; --c8: #8c9ba3;
  --k0: #a9d3ef; --k1: #79b5dd; --k2: #4f93c2; --k3: #36729c; --k4: #2a5878; --k5: #24455c; --k6: #4b5359 } }
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, -apple-system, "Segoe UI",
  Roboto, sans-serif; font-variant-numeric: tabular-nums }
main { max-width: 60rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem }
h1 { font-size: 1.05rem; font-weight: 600; margin: 0; color: var(--soft) }
h2 { font-size: 1rem; font-weight: 600; margin: 0 0 1rem }
.total { font-size: 2.75rem; font-weight: 650; letter-spacing: -0.02em; line-height: 1.2; margin: 0.25rem 0 0 }
.sub { color: var(--soft); margin: 0.25rem 0 2rem }
section { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.25rem 1.4rem;
  margin: 0 0 1.25rem }
svg { display: block; width: 100%; height: auto; overflow: visible }
svg text { fill: var(--soft); font: 11px system-ui, sans-serif }
.legend { display: flex; flex-wrap: wrap; gap: 0.35rem 1.4rem; padding: 0; margin: 1rem 0 0; list-style: none }
.legend li { display: flex; align-items: baseline; gap: 0.45rem; max-width: 100%; overflow-wrap: anywhere }
.legend b { font-weight: 600 } .legend span { color: var(--soft) }
.dot { flex: none; width: 0.7rem; height: 0.7rem; border-radius: 3px; display: inline-block }
.scroll { overflow-x: auto }
table { width: 100%; border-collapse: collapse }
th { text-align: left; font-weight: 500; color: var(--soft); font-size: 0.85rem }
th, td { padding: 0.45rem 0.75rem 0.45rem 0; border-bottom: 1px solid var(--line); vertical-align: middle }
tr:last-child td { border-bottom: 0 }
td:first-child { overflow-wrap: anywhere; min-width: 8rem }
.n { text-align: right; white-space: nowrap } th:last-child, td:last-child { padding-right: 0 }
.bar { width: 30% } .bar div { display: flex; height: 0.7rem; border-radius: 3px; overflow: hidden; min-width: 2px }
.f0 { fill: var(--c0); background: var(--c0) } .f1 { fill: var(--c1); background: var(--c1) }
.f2 { fill: var(--c2); background: var(--c2) } .f3 { fill: var(--c3); background: var(--c3) }
.f4 { fill: var(--c4); background: var(--c4) } .f5 { fill: var(--c5); background: var(--c5) }
.f6 { fill: var(--c6); background: var(--c6) } .f7 { fill: var(--c7); background: var(--c7) }
.f8 { fill: var(--c8); background: var(--c8) }
.k0 { fill: var(--k0); background: var(--k0) } .k1 { fill: var(--k1); background: var(--k1) }
.k2 { fill: var(--k2); background: var(--k2) } .k3 { fill: var(--k3); background: var(--k3) }
.k4 { fill: var(--k4); background: var(--k4) } .k5 { fill: var(--k5); background: var(--k5) }
.k6 { fill: var(--k6); background: var(--k6) }
.rule { stroke: var(--line); stroke-width: 1 }
footer { color: var(--soft); font-size: 0.85rem; margin-top: 2rem }
@media print { body { background: none } section { break-inside: avoid } }
@media (max-width: 40rem) { .bar { display: none } .total { font-size: 2.1rem } }
`
