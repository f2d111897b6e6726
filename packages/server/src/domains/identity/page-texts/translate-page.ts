import { scopeTexts } from '@swath/contract/scope-texts.ts'
import type { AccountLanguage } from '@swath/contract/schemas/people/account.ts'
import type { IdentityEndpointRequest, IdentityEndpointResponse } from '../oauth.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import type {
  IdentityEndpointPage,
  IdentityFormButton,
  IdentityFormField,
  IdentityPageForm,
  IdentityPagePasskey,
} from './page.ts'
import { choosePageLanguage } from './page-language.ts'
import type { PageText } from './page-text.ts'
import { frenchScopes, germanScopes } from './scope-texts.ts'

type Table = Readonly<Record<string, string>>

const tables: Readonly<Record<AccountLanguage, Table>> = { en: {}, de: german, fr: french }
const scopeTables: Readonly<Record<AccountLanguage, Table>> = { en: scopeTexts, de: germanScopes, fr: frenchScopes }

const lookUp = (table: Table, text: string): string => (Object.hasOwn(table, text) ? table[text]! : text)

/** A text of a page in a language. */
export function translateText(text: PageText, language: AccountLanguage): string {
  if (typeof text === 'string') return lookUp(tables[language], text)
  if ('verbatim' in text) return text.verbatim
  if ('sentence' in text) return lookUp(tables[language], text.sentence)
  if ('scope' in text) return lookUp(scopeTables[language], text.scope)
  const { message, values } = text
  return lookUp(tables[language], message).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    // Backticks are markup of a page: in a value they would end the code that it is shown as.
    return typeof value === 'string' ? value.replaceAll('`', "'") : translateText(value, language)
  })
}

type Translate = (text: PageText) => string

const translateButton = (
  { label, ...button }: IdentityFormButton,
  translate: Translate,
): IdentityFormButton<string> => ({ ...button, label: translate(label) })

const translateField = (
  { label, hint, options, ...field }: IdentityFormField,
  translate: Translate,
): IdentityFormField<string> => ({
  ...field,
  label: translate(label),
  ...(hint === undefined ? {} : { hint: translate(hint) }),
  ...(options ? { options: options.map((option) => ({ value: option.value, label: translate(option.label) })) } : {}),
})

const isButton = (button: IdentityPageForm['button']): button is IdentityFormButton =>
  typeof button !== 'string' && 'label' in button

function translateForm(form: IdentityPageForm, translate: Translate): IdentityPageForm<string> {
  const { fields, button, otherButton, shortButtons, error, ...rest } = form
  return {
    ...rest,
    fields: fields.map((field) => translateField(field, translate)),
    button: isButton(button) ? translateButton(button, translate) : translate(button),
    ...(otherButton ? { otherButton: translateButton(otherButton, translate) } : {}),
    ...(shortButtons ? { shortButtons: shortButtons.map((other) => translateButton(other, translate)) } : {}),
    error: error && { ...error, text: translate(error.text) },
  }
}

const translatePasskey = (
  { button, error, ...passkey }: IdentityPagePasskey,
  translate: Translate,
): IdentityPagePasskey<string> => ({
  ...passkey,
  button: translate(button),
  failure: translate('The passkey was not used. Try again, or choose another way.'),
  error: error ? translate(error) : null,
})

function translatePage(page: IdentityEndpointPage, language: AccountLanguage): IdentityEndpointPage<string> {
  const translate: Translate = (text) => translateText(text, language)
  const { title, paragraphs, items, link, form, passkey, links, svg } = page
  return {
    language,
    errorTitle: translate('Error'),
    title: translate(title),
    paragraphs: paragraphs.map(translate),
    ...(items ? { items: items.map(translate) } : {}),
    ...(link ? { link: { ...link, text: translate(link.text) } } : {}),
    form: form && translateForm(form, translate),
    ...(passkey ? { passkey: translatePasskey(passkey, translate) } : {}),
    ...(svg === undefined ? {} : { svg }),
    ...(links ? { links: links.map(({ url, label }) => ({ url, label: translate(label) })) } : {}),
  }
}

/** A response whose page, if it has one, is in the language of its reader. */
export function translateResponse(
  { page, ...response }: IdentityEndpointResponse,
  request: IdentityEndpointRequest,
): IdentityEndpointResponse<string> {
  return page ? { ...response, page: translatePage(page, choosePageLanguage(request)) } : response
}
