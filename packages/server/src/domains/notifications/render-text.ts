/** A value as people read it; numbers with at most six significant digits. */
function formatValue(value: unknown): string {
  if (typeof value === 'number') return String(Number(value.toPrecision(6)))
  return typeof value === 'string' ? value : ''
}

/** Longer texts are cut. */
const max_length = 500

/** Fills the placeholders of a template with members of the data; absent ones and null leave nothing. */
export const renderText = (template: string, data: Readonly<Record<string, unknown>>): string =>
  template
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => (Object.hasOwn(data, name) ? formatValue(data[name]) : ''))
    .trim()
    .slice(0, max_length)
