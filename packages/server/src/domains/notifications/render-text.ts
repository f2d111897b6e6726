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
}

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text)

/** `28 Nov 2026, 23:48 UTC`. */
const formatTime = (time: string): string =>
  `${new Date(time).toLocaleString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: 'UTC' })} UTC` // prettier-ignore

/** Integers in full, other numbers with six significant digits; groups from 10,000 on, so that years have none. */
const formatNumber = (value: number): string =>
  value.toLocaleString('en', { maximumSignificantDigits: Number.isInteger(value) ? 21 : 6, useGrouping: 'min2' })

/** A value as people read it. */
function formatValue(name: string, value: unknown): string {
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value !== 'string') return ''
  return isTime(value) ? formatTime(value) : (readableWords[name]?.[value] ?? value)
}

/** Longer texts are cut. */
const max_length = 500

/** Fills the placeholders of a template with members of the data; absent ones and null leave nothing. */
export const renderText = (template: string, data: Readonly<Record<string, unknown>>): string =>
  template
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => (Object.hasOwn(data, name) ? formatValue(name, data[name]) : ''))
    .trim()
    .slice(0, max_length)
