import { createHash } from 'node:crypto'
import { escapeHtml } from '../../platform/html/escape-html.ts'
import { passkeyScriptPath } from './passkey-script.ts'

/** A page for a person: a text, and a form if something is to be done. */
export interface HtmlFormPage {
  /** Of the texts; English by default. */
  readonly language?: string
  /** What the title of the document begins with if there is an error. */
  readonly errorTitle?: string
  readonly title: string
  /** Text between backticks is shown as code. */
  readonly paragraphs: readonly string[]
  /** A list after them. */
  readonly items?: readonly string[]
  /** The way on, in the place of a form. */
  readonly link?: { readonly url: string; readonly text: string }
  readonly form: PageForm | null
  /** Something to be done with a passkey, in addition to the form. */
  readonly passkey?: PagePasskey
  /** An image, as markup of ours. */
  readonly svg?: string
  readonly links?: readonly { readonly label: string; readonly url: string }[]
}

/** A form that is sent with what the browser makes of a passkey; the script shows it where browsers can. */
interface PagePasskey {
  readonly ceremony: 'create' | 'get'
  readonly options: Readonly<Record<string, unknown>>
  readonly query: string
  readonly hidden: Readonly<Record<string, string>>
  readonly button: string
  /** What is said if the browser, or its person, does not do it. */
  readonly failure?: string
  readonly error?: string | null
  readonly redirect_uri: string | null
}

/** A form that is posted to the URL of its page, with this query. */
interface PageForm {
  readonly query: string
  readonly hidden: Readonly<Record<string, string>>
  readonly fields: readonly PageField[]
  /** The words of the button, and a field that it sends. */
  readonly button: string | PageButton
  /** The way to say no. */
  readonly otherButton?: PageButton
  /** Ways that need not all fields: browsers do not ask for them. */
  readonly shortButtons?: readonly PageButton[]
  /** The reason why the last submission was refused, and its field; null for the form as a whole. */
  readonly error: { readonly text: string; readonly field: string | null } | null
  /** The URL that a successful submission redirects to, if it is not one of the platform. */
  readonly redirect_uri: string | null
}

interface PageButton {
  readonly name: string
  readonly value: string
  readonly label: string
}

interface PageField {
  readonly name: string
  readonly label: string
  readonly type: 'email' | 'password' | 'code' | 'name' | 'otp' | 'choice'
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  readonly autocomplete: string
  readonly value: string
  readonly readonly?: boolean
  readonly hint?: string
}

// Contrast of text at least 4.5, of borders of fields at least 3, in both themes.
const style = `
  :root {
    color-scheme: light dark;
    --page: #f3f5f6; --panel: #ffffff; --text: #14191c; --quiet: #566066; --line: #d5dadd; --field: #7b868c;
    --accent: #006f8a; --on-accent: #ffffff; --error: #b3261e;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --page: #101416; --panel: #191f22; --text: #e8ecee; --quiet: #a3adb2; --line: #2d3539; --field: #78848a;
      --accent: #4cc0dc; --on-accent: #06222a; --error: #ff8a80;
    }
  }
  * { box-sizing: border-box }
  body {
    margin: 0; min-height: 100vh; min-height: 100dvh; display: grid; place-items: center; padding: 24px 16px;
    background: var(--page); color: var(--text);
    font: 15px/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  }
  main {
    width: 100%; max-width: 400px; padding: 32px; border: 1px solid var(--line); border-radius: 8px;
    background: var(--panel); overflow-wrap: anywhere;
  }
  .brand { display: flex; align-items: center; gap: 8px; margin: 0 0 24px; color: inherit; font-weight: 600 }
  .brand svg { color: var(--accent) }
  h1 { margin: 0 0 8px; font-size: 22px; line-height: 28px; font-weight: 600 }
  p { margin: 0 0 8px; color: var(--quiet) }
  code { color: var(--text); font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
  form { margin-top: 24px; display: grid; gap: 16px }
  label { display: block; margin-bottom: 4px; font-weight: 500 }
  ul { margin: 0 0 8px; padding-left: 20px; color: var(--quiet) }
  input, select {
    width: 100%; padding: 9px 12px; border: 1px solid var(--field); border-radius: 6px; background: var(--panel);
    color: inherit; font: inherit; font-size: 16px;
  }
  input[readonly] { border-color: var(--line); color: var(--quiet) }
  input[aria-invalid] { border-color: var(--error) }
  .hint { margin: 4px 0 0; font-size: 13px }
  .error { margin: 0; padding: 8px 12px; border: 1px solid var(--error); border-radius: 6px; color: var(--error) }
  button {
    padding: 10px 16px; border: 0; border-radius: 6px; background: var(--accent); color: var(--on-accent);
    font: inherit; font-weight: 600; cursor: pointer;
  }
  a.button {
    display: block; margin-top: 24px; padding: 10px 16px; border-radius: 6px; background: var(--accent);
    color: var(--on-accent); font-weight: 600; text-align: center; text-decoration: none;
  }
  .link { margin: 16px 0 0 }
  a { color: var(--accent) }
  .image { margin-top: 16px; padding: 12px; border-radius: 6px; background: #ffffff }
  .image svg { display: block; width: 200px; height: 200px; margin: 0 auto }
  [hidden] { display: none }
  button.other { border: 1px solid var(--field); background: none; color: inherit }
  input:focus-visible, select:focus-visible, button:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
  @media (max-width: 420px) {
    body { place-items: start stretch; padding: 0; background: var(--panel) }
    main { border: 0; border-radius: 0; padding: 32px 20px }
  }`

const styleHash = createHash('sha256').update(style).digest('base64')

/**
 * Browsers also apply `form-action` to the redirect that follows a form. An IPv6 address cannot be named there, so its
 * scheme is, as is that of an app.
 */
function formActionOf({ form, passkey }: HtmlFormPage): string {
  if (!form && !passkey) return "'none'"
  const redirect_uri = form?.redirect_uri ?? passkey?.redirect_uri ?? null
  if (redirect_uri === null) return "'self'"
  const { origin, protocol, hostname } = new URL(redirect_uri)
  return `'self' ${hostname.startsWith('[') || origin === 'null' ? protocol : origin}`
}

/**
 * No scripts but that of passkeys where it is used, no external resources, no frames, only the inline style with this hash;
 * nothing is sent in a Referer header.
 */
export const createFormPageHeaders = (page: HtmlFormPage): Readonly<Record<string, string>> => ({
  'content-security-policy':
    `default-src 'none'; style-src 'sha256-${styleHash}'; ${page.passkey ? `script-src 'self'; ` : ''}form-action ${formActionOf(page)}; ` +
    "base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex, nofollow',
})

const mark =
  '<svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true"><circle cx="11" cy="11" r="10" fill="none" ' +
  'stroke="currentColor" stroke-width="1.5"/><path d="M5 19 14 1.5M9.5 21 18 4" stroke="currentColor" stroke-width="1.5"/></svg>'

const errorId = 'error'
const hintId = (field: PageField): string => `${field.name}-hint`

/** The first field that is empty, which the user fills in next. */
const findFocus = (form: PageForm): PageField | undefined =>
  form.fields.find(({ name }) => name === form.error?.field) ?? form.fields.find(({ value }) => value === '')

const renderAttributes = (attributes: Readonly<Record<string, string | boolean>>): string =>
  Object.entries(attributes)
    .filter(([, value]) => value !== false)
    .map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`))
    .join('')

function renderField(form: PageForm, field: PageField): string {
  if (field.type === 'choice') return renderChoice(form, field)
  const isInvalid = form.error !== null && form.error.field === field.name
  const descriptions = [...(isInvalid ? [errorId] : []), ...(field.hint === undefined ? [] : [hintId(field)])]
  const attributes = {
    id: field.name,
    name: field.name,
    // Browsers refuse addresses in a field of type email that the platform permits, and change those of other scripts.
    type: field.type === 'password' ? 'password' : 'text',
    value: field.type === 'password' ? false : field.value,
    autocomplete: field.autocomplete,
    ...(field.type === 'email'
      ? { inputmode: 'email', maxlength: '320', autocapitalize: 'none', spellcheck: 'false' }
      : {}),
    ...(field.type === 'name' ? { maxlength: '255', spellcheck: 'false' } : {}),
    ...(field.type === 'code' ? { maxlength: '20', autocapitalize: 'characters', spellcheck: 'false' } : {}),
    ...(field.type === 'otp' ? { maxlength: '64', autocapitalize: 'none', spellcheck: 'false' } : {}),
    required: true,
    readonly: field.readonly ?? false,
    autofocus: field === findFocus(form),
    'aria-invalid': isInvalid ? 'true' : false,
    'aria-describedby': descriptions.length > 0 ? descriptions.join(' ') : false,
  }
  const hint = field.hint === undefined ? '' : `<p class="hint" id="${hintId(field)}">${escapeHtml(field.hint)}</p>`
  return `<div><label for="${field.name}">${escapeHtml(field.label)}</label><input${renderAttributes(attributes)}>${hint}</div>`
}

function renderChoice(form: PageForm, { name, label, value, options = [] }: PageField): string {
  const isInvalid = form.error !== null && form.error.field === name
  const invalid = { 'aria-invalid': isInvalid ? 'true' : false, 'aria-describedby': isInvalid ? errorId : false }
  const choices = options.map(
    (option) =>
      `<option${renderAttributes({ value: option.value, selected: option.value === value })}>${escapeHtml(option.label)}</option>`,
  )
  const select = `<select${renderAttributes({ id: name, name, required: true, ...invalid })}>${choices.join('')}</select>`
  return `<div><label for="${name}">${escapeHtml(label)}</label>${select}</div>`
}

function renderButton(button: string | PageButton, style: string | false = false, formnovalidate = false): string {
  if (typeof button === 'string') return `<button>${escapeHtml(button)}</button>`
  const { name, value, label } = button
  return `<button${renderAttributes({ name, value, class: style, formnovalidate })}>${escapeHtml(label)}</button>`
}

function renderForm(form: PageForm): string {
  const hidden = Object.entries(form.hidden).map(
    ([name, value]) => `<input${renderAttributes({ type: 'hidden', name, value })}>`,
  )
  const error = form.error ? `<p class="error" id="${errorId}" role="alert">${escapeHtml(form.error.text)}</p>` : ''
  const describedBy = form.error?.field === null ? errorId : false
  return (
    `<form${renderAttributes({ method: 'post', action: `?${form.query}`, 'aria-describedby': describedBy })}>${error}` +
    `${form.fields.map((field) => renderField(form, field)).join('')}${hidden.join('')}` +
    `${renderButton(form.button)}${form.otherButton ? renderButton(form.otherButton, 'other') : ''}` +
    `${(form.shortButtons ?? []).map((button) => renderButton(button, 'other', true)).join('')}</form>`
  )
}

const renderButtonLink = ({ url, text }: NonNullable<HtmlFormPage['link']>): string =>
  `<a${renderAttributes({ class: 'button', href: url })}>${escapeHtml(text)}</a>`

function renderPasskey({ ceremony, options, query, hidden, button, failure, error = null }: PagePasskey): string {
  const inputs = Object.entries({ ...hidden, credential: '' }).map(
    ([name, value]) => `<input${renderAttributes({ type: 'hidden', name, value })}>`,
  )
  const attributes = {
    id: 'passkey',
    method: 'post',
    action: `?${query}`,
    hidden: true,
    'data-ceremony': ceremony,
    'data-options': JSON.stringify(options),
    'data-failure': failure ?? 'The passkey was not used.',
  }
  return (
    `<form${renderAttributes(attributes)}><p${renderAttributes({ class: 'error', role: 'alert', hidden: error === null })}>${escapeHtml(error ?? '')}</p>${inputs.join('')}` +
    `<button class="other">${escapeHtml(button)}</button></form>` +
    `<script src="${passkeyScriptPath}" defer></script>`
  )
}

const renderLink = ({ label, url }: { readonly label: string; readonly url: string }): string =>
  `<p class="link"><a href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`

const renderParagraph = (text: string): string =>
  `<p>${escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>')}</p>`

const renderList = (items: readonly string[]): string =>
  items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`

/** The page as HTML: the title of the document begins with the error, which a screen reader says first. */
export function renderHtmlFormPage({
  language = 'en',
  errorTitle = 'Error',
  title,
  paragraphs,
  items = [],
  link,
  form,
  passkey,
  svg,
  links = [],
}: HtmlFormPage): string {
  const documentTitle = `${form?.error ? `${errorTitle}: ` : ''}${title} – Swath`
  return (
    `<!doctype html><html${renderAttributes({ lang: language })}><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    `<title>${escapeHtml(documentTitle)}</title><style>${style}</style></head><body><main>` +
    `<p class="brand">${mark}Swath</p><h1>${escapeHtml(title)}</h1>` +
    `${paragraphs.map(renderParagraph).join('')}${renderList(items)}` +
    `${svg === undefined ? '' : `<div class="image">${svg}</div>`}` +
    `${link ? renderButtonLink(link) : ''}${form ? renderForm(form) : ''}${passkey ? renderPasskey(passkey) : ''}` +
    `${links.map(renderLink).join('')}</main></body></html>`
  )
}
