import { deepEqual } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(path, 'utf8')

const defined = new Map(
  globSync('**/*.module.css', { cwd: root }).map((path) => {
    const css = read(join(root, path)).replaceAll(/\/\*[\s\S]*?\*\/|:global\([^)]*\)|'[^']*'/g, '')
    return [join(root, path), new Set([...css.matchAll(/\.([a-z]\w*)/gi)].map(([, name]) => name!))]
  }),
)

/** The classes that the components of a folder use, as pairs of a module and a name; without a name where it is computed. */
const used = globSync('**/*.tsx', { cwd: root }).flatMap((path) => {
  const source = read(join(root, path))
  return [...source.matchAll(/import (\w+) from '(.+\.module\.css)'/g)].flatMap(([, local, module]) =>
    [...source.matchAll(new RegExp(`\\b${local}\\[(?:'(\\w+)'|\\w+)\\]`, 'g'))].map(([, name]) => ({
      module: resolve(root, dirname(path), module!),
      name,
    })),
  )
})

test('a class that a component uses is in its module', () => {
  const missing = used.filter(({ module, name }) => name !== undefined && !defined.get(module)!.has(name))
  deepEqual(missing, [])
})

test('a class of a module is used by a component', () => {
  const computed = new Set(used.filter(({ name }) => name === undefined).map(({ module }) => module))
  const names = new Set(used.map(({ module, name }) => `${module} ${name}`))
  const unused = [...defined].flatMap(([module, classes]) =>
    computed.has(module)
      ? []
      : [...classes].filter((name) => !names.has(`${module} ${name}`)).map((name) => `${module} ${name}`),
  )
  deepEqual(unused, [])
})
