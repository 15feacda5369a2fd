import { render } from 'preact'
import './style/tokens.css'
import './style/base.css'
import { App } from './app.tsx'
import { startSession } from './session/session.ts'
import { followTheme } from './theme/theme.ts'

followTheme()
void startSession()
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
