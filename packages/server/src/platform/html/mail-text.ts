/** The names of others in a text must not turn the text around them: they are isolated by U+2068 and U+2069. */
export const isolateText = (text: string): string => `\u2068${text}\u2069`

/** A text whose placeholders, such as `{name}`, have their values; one without a value leaves nothing. */
export const fillPlaceholders = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => (Object.hasOwn(values, name) ? values[name]! : ''))
