/** Words of the API that people read as others, by the member that has them. A range has its upper bound in the alert. */
const readableWords: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  comparison: {
    gt: 'above',
    gte: 'at least',
    lt: 'below',
    lte: 'at most',
    eq: 'equal to',
    neq: 'other than',
    between: 'in a range from',
    outside: 'outside of a range from',
  },
  reason: {
    failing: 'its deliveries have failed for too long',
    gone: 'the endpoint has answered that it is gone',
    stopped: 'too many were declined in a row',
  },
}

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text)

/** `28 Nov 2026, 23:48 UTC`. */
const formatTime = (time: string): string =>
  `${new Date(time).toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })} UTC` // prettier-ignore

/** Names of members that are amounts: their numbers are always in groups, those in AUD with cents. */
const isCredits = (name: string): boolean => /credits/i.test(name)
const isMoney = (name: string): boolean => /(?:^|_)aud$/i.test(name)

/** Integers in full, other numbers with six significant digits; groups from 10,000 on, so that years have none. */
function formatNumber(name: string, value: number): string {
  if (isMoney(name)) return value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
  const maximumSignificantDigits = Number.isInteger(value) ? 21 : 6
  return value.toLocaleString('en', { maximumSignificantDigits, useGrouping: isCredits(name) ? true : 'min2' })
}

/** A word for programs, such as `card_declined`. */
const isCode = (text: string): boolean => /^[a-z]+(?:_[a-z]+)+$/.test(text)

/** A value as people read it; a list is its length. */
function formatValue(name: string, value: unknown): string {
  if (typeof value === 'number') return formatNumber(name, value)
  if (Array.isArray(value)) return formatNumber(name, value.length)
  if (typeof value !== 'string') return ''
  if (isTime(value)) return formatTime(value)
  const word = readableWords[name]?.[value]
  if (word !== undefined) return word
  return isolateRightToLeftText(name === 'reason' && isCode(value) ? value.replaceAll('_', ' ') : value)
}

/**
 * The text between isolates of the Unicode Bidirectional Algorithm if it has letters that are read from right to left: then it does not
 * change the order of the sentence in which it stands.
 */
export const isolateRightToLeftText = (text: string): string =>
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text) ? `\u2068${text}\u2069` : text

/** Longer texts are cut. */
const max_length = 500

/** Fills the placeholders of a template with members of the data; absent ones and null leave nothing. */
export const renderNotificationText = (template: string, data: Readonly<Record<string, unknown>>): string =>
  template
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => (Object.hasOwn(data, name) ? formatValue(name, data[name]) : ''))
    .trim()
    .slice(0, max_length)
