/** What is shown if the package was built without its page. */
export const MISSING_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Stint</title>
<h1>The page is not built</h1>
<p>The server runs, and so does its API: <a href="openapi.json">openapi.json</a> lists it.</p>
<p>This copy of Stint has no dashboard. In its sources, run <code>npm run build</code> and start the server again.</p>
</html>
`
