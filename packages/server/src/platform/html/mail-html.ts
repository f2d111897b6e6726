import { escapeHtml } from './escape-html.ts'

/** Mail programs that ignore it show the colours of the elements, on white. */
const darkColours =
  ':root{color-scheme:light dark}@media (prefers-color-scheme:dark){' +
  'body,h1{background:#14191c!important;color:#e8ecee!important}.muted{color:#a9b4ba!important}' +
  'a{color:#5cc3d9!important}hr{border-color:#3a444a!important}}'

const linkStyle = 'color:#0e7c93'
const paragraphStyle = 'margin:0 0 8px'

/** A part of an e-mail: a title, a text if there is one, and a link. */
export interface MailSection {
  readonly title: string
  readonly body: string
  readonly url: string
  /** The words of the link. */
  readonly link: string
}

export interface MailHtml {
  /** English by default. */
  readonly language?: string
  readonly subject: string
  readonly sections: readonly MailSection[]
  /** Why the receiver has it, in small letters. */
  readonly footer: string
  /** A link below the footer; null without one. */
  readonly footerLink: { readonly url: string; readonly text: string } | null
}

/** An e-mail as HTML. Words without spaces, such as URLs, are broken, so that a narrow screen shows the whole text. */
export const renderMailHtml = ({ language = 'en', subject, sections, footer, footerLink }: MailHtml): string =>
  `<!doctype html><html lang="${escapeHtml(language)}"><head><meta charset="utf-8">` +
  '<meta name="viewport" content="width=device-width, initial-scale=1">' +
  '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">' +
  `<title>${escapeHtml(subject)}</title><style>${darkColours}</style></head>` +
  '<body style="margin:0;background:#ffffff;font:15px/1.5 sans-serif;color:#14191c">' +
  '<div style="max-width:560px;margin:0 auto;padding:24px 20px;overflow-wrap:anywhere;word-break:break-word">' +
  sections.map(renderSection).join('<hr style="border:0;border-top:1px solid #d5dadd;margin:16px 0">') +
  `<p class="muted" style="margin:24px 0 0;font-size:13px;color:#566066">${escapeHtml(footer)}` +
  (footerLink === null
    ? ''
    : `<br><a style="${linkStyle}" href="${escapeHtml(footerLink.url)}">${footerLink.text}</a>`) +
  '</p></div></body></html>'

const renderSection = ({ title, body, url, link }: MailSection): string =>
  `<h1 style="margin:0 0 8px;font-size:18px;line-height:1.35">${escapeHtml(title)}</h1>` +
  (body === '' ? '' : `<p style="${paragraphStyle}">${escapeHtml(body)}</p>`) +
  `<p style="${paragraphStyle}"><a style="${linkStyle}" href="${escapeHtml(url)}">${escapeHtml(link)}</a></p>`
