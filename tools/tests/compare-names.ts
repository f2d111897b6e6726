import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

/**
 * Lists tests of an earlier run that are missing in later ones, and new ones: compare-names.ts --before a.xml --after b.xml
 * [--after c.xml]. The files come from `npm test -- --test-reporter=junit --test-reporter-destination=a.xml`. A test is
 * identified by its name and its file name, without folder and lane, so that files may be moved.
 */
const { values } = parseArgs({
  options: { before: { type: 'string', multiple: true }, after: { type: 'string', multiple: true } },
})

const entities: Readonly<Record<string, string>> = { amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' }
const decodeEntities = (text: string): string =>
  text.replaceAll(/&(?:#(\d+)|(\w+));/g, (whole, code: string | undefined, name: string) =>
    code === undefined ? (entities[name] ?? whole) : String.fromCodePoint(Number(code)),
  )

const fileStem = (file: string): string =>
  file
    .slice(file.lastIndexOf('/') + 1)
    .replace('.long.test.ts', '.test.ts')
    .replace(/\.test\.ts$/, '')

/** The test names in a report of Node's runner; duplicates count. */
function readTestNames(report: string): string[] {
  const names: string[] = []
  let file = ''
  for (const [, tag, name] of report.matchAll(/<(testsuite|testcase) name="([^"]*)"/g)) {
    const text = decodeEntities(name!)
    if (tag === 'testsuite' && text.endsWith('.test.ts')) file = fileStem(text)
    else if (tag === 'testcase') names.push(`${file}: ${text}`)
  }
  return names
}

function count(files: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const file of files) {
    for (const name of readTestNames(readFileSync(file, 'utf8'))) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

const listMissing = (from: ReadonlyMap<string, number>, than: ReadonlyMap<string, number>): string[] =>
  [...from].flatMap(([name, times]) => (times > (than.get(name) ?? 0) ? [name] : [])).sort()

const [before, after] = [count(values.before ?? []), count(values.after ?? [])]
const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, times) => sum + times, 0)
if (total(before) === 0 || total(after) === 0)
  throw new Error('--before and --after must name reports that contain tests')
const [missing, added] = [listMissing(before, after), listMissing(after, before)]
for (const name of missing) console.log(`missing  ${name}`)
for (const name of added) console.log(`new      ${name}`)
console.log(`${total(before)} tests before, ${total(after)} after; ${missing.length} missing, ${added.length} new`)
process.exitCode = missing.length === 0 ? 0 : 1
