import { bannedNames, indexFiles, roomOfWord } from '../boundaries.ts'
import { isStore, operationIdOf, roomOf, type Finding, type Rule, type Tree } from '../tree.ts'

const kebab = /^[a-z0-9]+(-[a-z0-9]+)*$/
/** What a file is, behind what it is about; tests of the long lane say so. */
const reserved = /(\.long)?\.test$|\.task$/

function judge(path: string, operations: ReadonlySet<string>): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const stem = name.replace(/\.(ts|tsx|mjs)$/, '')
  if (bannedNames.includes(stem.replace(reserved, ''))) return `"${stem}" says nothing about what is inside`
  if (stem === 'index' && !indexFiles.includes(path)) return 'an index file hides where things are'
  const id = operationIdOf(path)
  if (id !== null) return judgeOperation(path, id, operations)
  if (isStore(path)) return null
  const subject = stem.replace(reserved, '')
  // A test is named after what it tests, an operation or a store included.
  if (stem.endsWith('.test') && (operations.has(subject) || subject.startsWith('store.'))) return null
  // The contract and the examples of its tests have files named by the first words of ids, spelled as on the wire.
  if (/\/(operations|examples)\/[a-z_]+(\.[a-z_]+)*\.ts$/.test(path)) return null
  return kebab.test(subject) ? null : `"${stem}" is not in kebab-case`
}

function judgeOperation(path: string, id: string, operations: ReadonlySet<string>): string | null {
  if (!operations.has(id)) return `${id} is no operation of the registry`
  const word = id.split('.')[0]!
  const room = roomOfWord[word] ?? word
  return room === roomOf(path) ? null : `${id} lives in the room ${room}`
}

export const namesRule: Rule = {
  name: 'names',
  why: 'The id is the address: from a name one can say the file, and from a file what is inside.',
  check: (tree: Tree): Finding[] => {
    const operations = new Set(tree.operations.map((operation) => operation.id))
    const code = [...tree.code.keys()].flatMap((file): Finding[] => {
      const says = judge(file, operations)
      return says === null ? [] : [{ file, says }]
    })
    const migrations = [...tree.files.keys()].filter(
      (file) => /\/migrations\/[^/]+\.sql$/.test(file) && !/\/(\d{4}_[a-z0-9_]+|schema)\.sql$/.test(file),
    )
    return [...code, ...migrations.map((file) => ({ file, says: 'a migration is named 0001_what_it_does.sql' }))]
  },
}
