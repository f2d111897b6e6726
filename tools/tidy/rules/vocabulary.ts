import { bannedWords, repeatedTypes, type BannedWord } from '../vocabulary.ts'
import { isTest, type TidyFinding, type TidyRule, type SourceTree } from '../tree.ts'

/** Files that name a banned word because they are about it, and those that nobody edits. */
const exempt = /^tools\/tidy\/((rules\/)?vocabulary\.ts|broken\/)|\/migrations\/|^package-lock\.json$|\.(txt|csv|svg)$/

const isExempt = (path: string): boolean => exempt.test(path)

/** The one paragraph that may name the old words, to explain old commits. */
const history = /^\*History:\*(.+\n)+/m

/** Generated from types that are declared elsewhere. */
const generated = /^packages\/client\/src\/operations\.ts$/

const plural = (word: string): string => (/(s|sh|ch|x)$/.test(word) ? `${word}es` : `${word}s`)

const banned: ReadonlyMap<string, BannedWord> = new Map(
  bannedWords.flatMap((row) => [row.word, plural(row.word)].map((word) => [word, row] as const)),
)

/** Words of text and the parts of identifiers: `openHouseDoor`, `open_house_door` and `OPEN_HOUSE` hold `house`. */
const words = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g

function findIn(path: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(words)].flatMap(([word]) => {
      const row = banned.get(word.toLowerCase())
      if (!row || !path.startsWith(row.within ?? '') || row.except?.some((phrase) => phrase.test(line))) return []
      return [`line ${index + 1}: "${word}" is not a term of the field: ${row.standard}`]
    }),
  )
}

function bannedIn(tree: SourceTree): TidyFinding[] {
  return [...tree.files]
    .filter(([path]) => !isExempt(path))
    .flatMap(([path, text]) => [
      ...findIn(path, path).map((message) => ({ file: path, message: message.replace('line 1', 'the path') })),
      ...findIn(path, path === 'ARCHITECTURE.md' ? text.replace(history, '') : text).map((message) => ({
        file: path,
        message,
      })),
    ])
}

/** One exported type name, one meaning: a second declaration is another type for the reader to tell apart. */
function repeatedIn(tree: SourceTree): TidyFinding[] {
  const filesByType = new Map<string, string[]>()
  for (const [path, { code }] of tree.code) {
    if (isTest(path) || generated.test(path) || isExempt(path)) continue
    for (const [, name] of code.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm))
      filesByType.set(name!, [...(filesByType.get(name!) ?? []), path])
  }
  const allowed = new Set(repeatedTypes.map(({ name }) => name))
  return [...filesByType]
    .filter(([name, files]) => files.length > 1 && !allowed.has(name))
    .flatMap(([name, files]) =>
      files.map((file) => ({
        file,
        message: `the type ${name} is exported by ${files.length} files: one name, one meaning`,
      })),
    )
}

export const vocabularyRule: TidyRule = {
  name: 'vocabulary',
  reason: 'Names and sentences use the standard terms of the field, so that a reader who knows it needs no dictionary.',
  check: (tree) => [...bannedIn(tree), ...repeatedIn(tree)],
}
