export interface ScreenPicture {
  readonly screen: string
  readonly state: string
  readonly display: string
  readonly file: string
  /** Violations that axe found, and errors of the browser. */
  readonly problems: readonly string[]
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A page with every picture, a row for each screen and state. */
export function writeIndex(pictures: readonly ScreenPicture[]): string {
  const rows = Map.groupBy(pictures, ({ screen, state }) => `${screen} · ${state}`)
  const sections = [...rows].map(
    ([title, row]) => `<section><h2>${escapeHtml(title)}</h2><div>${row.map(writeFigure).join('')}</div></section>`,
  )
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screens</title><style>
body{font:14px system-ui;margin:24px;background:#ddd}section div{display:flex;gap:16px;align-items:start;overflow-x:auto}
figure{margin:0}img{height:480px;border:1px solid #888}li{color:#900}</style><h1>${pictures.length} pictures</h1>
${sections.join('\n')}</html>`
}

function writeFigure({ file, display, problems }: ScreenPicture): string {
  const list =
    problems.length === 0 ? '' : `<ul>${problems.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul>`
  return `<figure><a href="${file}"><img src="${file}" alt="" loading="lazy"></a><figcaption>${display}</figcaption>${list}</figure>`
}
