import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { describeWait, findClosedLink } from './link-failure.ts'
import { SharePage } from './share-page.tsx'
import { followTheme } from '../theme/system-theme.ts'
import '../ui/theme/tokens.css'
import '../ui/theme/base.css'
import './fallback.css'

followTheme()
const root = document.getElementById('root')!
const { problem = '', retryAfter } = root.dataset
const wait_s = retryAfter ? Number(retryAfter) : null
const closed = findClosedLink(problem)
const note = problem === 'rate-limited' ? describeWait(wait_s) : null
/** The text that was entered in the form of the server before this script ran. */
const typed = root.querySelector('input')?.value ?? ''

createRoot(root).render(
  <StrictMode>
    <SharePage closed={closed} note={note} typed={typed} />
  </StrictMode>,
)
