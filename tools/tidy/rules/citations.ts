import type { TidyFinding, TidyRule, SourceTree } from '../tree.ts'

/** The path that a file must name when it refers to the specification: `docs/platform/`, in a page as a link. */
const specificationFolder = /docs\/platform\/|\]\((?:\.\.\/)*platform\//

/** Documents that are meant without being named. A qualified one, such as "the TIFF specification", is another document. */
const unnamedDocuments =
  /\bthe (?:written )?specification\b|\b(?:the|a) (?:platform document|brief|requirements document)\b/gi

/** Numbers of a list that is nowhere printed: `I30: retries charge once`. */
const numberedTestName = /\btest\(\s*(['"`])([A-Z]\d+): /g

const withoutFences = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '')

/** The text that a reader reads: of a page without examples, of a code file only the comments. */
function proseOf(tree: SourceTree, path: string, text: string): string {
  if (path.endsWith('.md')) return withoutFences(text)
  return tree.code.get(path)?.comments.join('\n') ?? ''
}

/** Joins wrapped lines, so that a phrase across two lines is found. */
const unwrap = (text: string): string => text.replaceAll(/\s*\n[\s*/|>-]*/g, ' ')

function checkUnnamed(file: string, text: string): TidyFinding[] {
  if (file.startsWith('docs/platform/') || specificationFolder.test(text)) return []
  const phrases = new Set([...unwrap(text).matchAll(unnamedDocuments)].map(([phrase]) => phrase.toLowerCase()))
  return [...phrases].map((phrase) => ({ file, message: `"${phrase}": name the page of docs/platform that says it` }))
}

/** Pages named without a link; the rule `links` checks links. */
function checkNamed(file: string, prose: string, pageNames: ReadonlySet<string>): TidyFinding[] {
  const unlinked = prose.replaceAll(/\]\([^)]*\)/g, ']')
  const names = new Set([...unlinked.matchAll(/(?<![\w*])(?:[\w.-]+\/)*([\w-]+\.md)\b/g)].map((match) => match[1]!))
  return [...names]
    .filter((name) => !pageNames.has(name))
    .map((name) => ({ file, message: `names ${name}, which is not a page of the repository` }))
}

function check(tree: SourceTree): TidyFinding[] {
  const pageNames = new Set(
    [...tree.files.keys()].filter((path) => path.endsWith('.md')).map((path) => path.slice(path.lastIndexOf('/') + 1)),
  )
  return [...tree.files].flatMap(([file, text]) => {
    const prose = proseOf(tree, file, text)
    const labels = file.endsWith('.test.ts') ? [...text.matchAll(numberedTestName)].map((match) => match[2]!) : []
    return [
      ...checkUnnamed(file, file.endsWith('.test.ts') ? text : prose),
      ...checkNamed(file, prose, pageNames),
      ...[...new Set(labels)].map((label) => ({
        file,
        message: `a test name cites ${label} of a list that is not here`,
      })),
    ]
  })
}

export const citationsRule: TidyRule = {
  name: 'citations',
  reason: 'Every document that a page, a comment or a test refers to is in the repository.',
  check,
}
