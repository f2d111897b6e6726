/** What may contain a semicolon that ends no statement: comments, texts, quoted names, bodies between dollar signs. */
const enclosedText =
  /--[^\n]*|\/\*[\s\S]*?\*\/|\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$/y

const blank = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*$/

/**
 * Divides a script into its statements, with their comments and without semicolons. Bodies that the SQL standard writes as
 * `begin atomic … end` are not known: migrations quote bodies with dollar signs.
 */
export function splitStatements(script: string): string[] {
  const statements: string[] = []
  let start = 0
  for (let at = 0; at < script.length; at += 1) {
    enclosedText.lastIndex = at
    const enclosed = enclosedText.exec(script)
    if (enclosed) at += enclosed[0].length - 1
    else if (script[at] === ';') {
      statements.push(script.slice(start, at))
      start = at + 1
    }
  }
  return [...statements, script.slice(start)].filter((text) => !blank.test(text))
}
