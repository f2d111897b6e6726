import { posix } from 'node:path'
import { stands, type Finding, type Rule, type Tree } from '../tree.ts'

/** Heading anchors as common Git hosts generate them: lower case, no punctuation, dashes for spaces. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[`*_]/g, '')
    .replace(/[^\p{Letter}\p{Number} -]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const anchorsOf = (text: string): Set<string> =>
  new Set([...withoutFences(text).matchAll(/^#+\s+(.+)$/gm)].map((match) => anchorOf(match[1]!)))

const withoutFences = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '')

function judgeLink(tree: Tree, page: string, target: string): string | null {
  if (/^[a-z]+:/.test(target)) return null
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : posix.join(posix.dirname(page), path)
  if (!stands(tree, file)) return `the link ${target} is broken`
  const text = tree.files.get(file)
  if (anchor && text !== undefined && file.endsWith('.md') && !anchorsOf(text).has(anchor)) {
    return `${file} has no heading for #${anchor}`
  }
  return null
}

/** Paths in backticks that begin with a folder of the repository must exist, too. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:packages|apps|tools|docs|fixtures|\.ci)\/[\w./-]*)`/g)].map((match) => match[1]!)

function judgePage(tree: Tree, page: string, text: string): Finding[] {
  const prose = withoutFences(text)
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => judgeLink(tree, page, match[1]!))
  const paths = pathsIn(prose).map((path) => (stands(tree, path) ? null : `${path} does not exist`))
  return [...links, ...paths].filter((says) => says !== null).map((says) => ({ file: page, says }))
}

/** `npm run x` in a page must be a script of package.json, and the file of every script must exist. */
function scripts(tree: Tree): Finding[] {
  const manifest = JSON.parse(tree.files.get('package.json') ?? '{}') as { scripts?: Record<string, string> }
  const known = manifest.scripts ?? {}
  const named = [...tree.files]
    .filter(([path]) => path.endsWith('.md') && !path.startsWith('docs/reference/'))
    .flatMap(([file, text]) =>
      [...text.matchAll(/\bnpm run ([a-z][\w:-]*)/g)]
        .filter((match) => known[match[1]!] === undefined)
        .map((match) => ({ file, says: `there is no script "${match[1]}"` })),
    )
  const files = Object.entries(known).flatMap(([name, line]) =>
    line
      .split(' ')
      .filter((word) => /^(tools|packages)\/.+\.(ts|mjs)$/.test(word) && !stands(tree, word))
      .map((word) => ({ file: 'package.json', says: `the script "${name}" starts ${word}, which does not exist` })),
  )
  return [...named, ...files]
}

export const linksRule: Rule = {
  name: 'links',
  why: 'Links, paths and scripts named in documents exist.',
  check: (tree) => [
    ...[...tree.files].filter(([path]) => path.endsWith('.md')).flatMap(([path, text]) => judgePage(tree, path, text)),
    ...scripts(tree),
  ],
}
