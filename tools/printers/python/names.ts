const keywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

export const generatedHeader = '"""Printed from the contract by `npm run build:python`; do not edit."""'

/** The class of a dotted, dashed or underscored name: `OrdersArchivePlace`. */
export const className = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** True if Python takes the name as it is. */
export const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name)

/** The name of an argument or a member: that of the wire, with an underscore at the end of a keyword of Python. */
export function identifier(name: string): string {
  const text = name.replaceAll(/\W/g, '_')
  return keywords.has(text) ? `${text}_` : text
}

/** A text between double quotes, which JSON and Python write alike. */
export const quote = (text: string): string => JSON.stringify(text)

/** A docstring with its indentation; text with backslashes or quotes stays as it is. */
export function docstring(text: string, indentation: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/"$/, '" ')
  const lines = safe.split('\n').map((line) => (line === '' ? '' : `${indentation}${line}`))
  const body = lines.join('\n').trimStart()
  return lines.length === 1 ? `${indentation}"""${body}"""` : `${indentation}"""${body}\n${indentation}"""`
}
