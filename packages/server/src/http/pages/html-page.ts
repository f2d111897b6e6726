import { escapeHtml } from '../../platform/html/escape-html.ts'

const style = `
  :root { color-scheme: light dark; --line: #8884; --soft: #8882 }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
  code, pre { font: 13px/1.45 ui-monospace, monospace }
  pre { background: var(--soft); padding: .8rem; overflow-x: auto; border-radius: 6px }
  h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line) }
  .tag { font-size: 12px; padding: 0 .4rem; border: 1px solid var(--line); border-radius: 4px }
  table { border-collapse: collapse; margin: .6rem 0; display: block; overflow-x: auto }
  td, th { text-align: left; padding: .15rem .9rem .15rem 0; vertical-align: top }
  nav { columns: 4 10rem }`

/** A page of plain HTML with inline styles, without scripts. */
export const renderPage = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body}</body></html>`
