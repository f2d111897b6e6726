import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { operationRegistry } from '@swath/contract/registry.ts'
import { operationFile } from '../tidy/operation-files.ts'
import { readTree, type SourceTree } from '../tidy/tree.ts'
import {
  countFilesToRead,
  countLines,
  countParts,
  countTouches,
  listShortFiles,
  listSingleImporterFiles,
} from './count-files.ts'
import { listNodes, parseFile, type SyntaxNode } from './syntax.ts'
import { walkCalls } from './walk-calls.ts'

/** Prints how large the code base is, and how far one reads for one operation: npm run sizes [-- --list]. */
const root = join(import.meta.dirname, '..', '..')
const tree = readTree(
  root,
  operationRegistry.map(({ id }) => id),
)

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

const print = (title: string, value: string | number): void => console.log(`${title.padEnd(58)}${String(value).padStart(9)}`) // prettier-ignore

function countTrackedLines(): number {
  const names = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  const texts = names.map((name) => readFileSync(join(root, name))).filter((bytes) => !bytes.includes(0))
  return texts.reduce((sum, bytes) => sum + countLines(bytes.toString('utf8')), 0)
}

/** Members of an interface of the server: its own, with those of the interfaces that it extends by name. */
function listMembers(tree: SourceTree, name: string): { readonly part: string; readonly members: number }[] {
  const declarations = [...tree.files]
    .filter(([path, text]) => path.startsWith('packages/server/src/') && text.includes(`interface ${name} `))
    .flatMap(([path, text]) => [...listNodes(parseFile(path, text))])
    .filter((node) => node.type === 'TSInterfaceDeclaration' && (node['id'] as { name?: string }).name === name)
  const members = declarations.reduce(
    (sum, node) => sum + ((node['body'] as SyntaxNode)['body'] as unknown[]).length,
    0,
  )
  const parents = declarations.flatMap((node) => (node['extends'] ?? []) as { expression: { name?: string } }[])
  const inherited = parents.flatMap(({ expression }) => (expression.name ? listMembers(tree, expression.name) : []))
  return [{ part: name, members }, ...inherited]
}

console.log(`${'part'.padEnd(18)}${'files'.padStart(8)}${'lines'.padStart(10)}`)
for (const { part, files, lines } of countParts(tree))
  console.log(`${part.padEnd(18)}${String(files).padStart(8)}${String(lines).padStart(10)}`)
console.log()

const short = listShortFiles(tree)
const single = listSingleImporterFiles(tree)
const touches = countTouches(tree)
const stays = walkCalls(tree, { file: operationFile('orders.archive.place'), name: 'handler' }, 'addCreditHold')
const visited = Map.groupBy(stays, ({ file }) => file)
print('tracked lines of text', countTrackedLines())
print('product files under 15 lines', short.length)
print('files of the server with one importer in their folder', single.length)
print('files to read for an operation, in its module, median', median(countFilesToRead(tree)))
print('files that name an operation, written, median', median(touches.written))
print('files that name an operation, printed, median', median(touches.printed))
for (const { part, members } of listMembers(tree, 'Call')) print(`members of ${part}`, members)
print('lines of the pipeline', countLines(tree.files.get('packages/server/src/engine/pipeline.ts') ?? ''))
print('stays from the placement of an order to its hold', stays.length)
print('of these, returns to a file', stays.length - visited.size)
for (const [file, list] of [...visited].sort(([, left], [, right]) => right.length - left.length).slice(0, 3))
  print(`  ${file.replace('packages/server/src/', '')}`, list.length)

if (process.argv.includes('--list')) {
  console.log(`\nunder 15 lines:\n${short.join('\n')}\n\none importer in their folder:\n${single.join('\n')}`)
  console.log(`\nthe walk:\n${stays.map(({ file, name }) => `${file} ${name}`).join('\n')}`)
}
