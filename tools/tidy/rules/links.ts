import { posix } from 'node:path'
import { exists, type TidyFinding, type TidyRule, type SourceTree } from '../tree.ts'

/** Heading anchors as common Git hosts generate them: lower case, no punctuation, dashes for spaces. */
const toAnchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[`*_]/g, '')
    .replace(/[^\p{Letter}\p{Number} -]/gu, '')
    .trim()
    .replaceAll(' ', '-')

const listAnchors = (text: string): Set<string> =>
  new Set([...withoutFences(text).matchAll(/^#+\s+(.+)$/gm)].map((match) => toAnchor(match[1]!)))

const withoutFences = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '')

function checkLink(tree: SourceTree, page: string, target: string): string | null {
  if (/^[a-z]+:/.test(target)) return null
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? page : posix.join(posix.dirname(page), path)
  if (!exists(tree, file)) return `the link ${target} is broken`
  const text = tree.files.get(file)
  if (anchor && text !== undefined && file.endsWith('.md') && !listAnchors(text).has(anchor)) {
    return `${file} has no heading for #${anchor}`
  }
  return null
}

/** A link text that is the number of a decision record, such as `decision 7` or `0007`, must name the record that it leads to. */
const checkNumber = (text: string, target: string): string | null => {
  const number = /^(?:decision )?(\d+)$/i.exec(text)?.[1]
  const record = /(?:^|\/)(\d{4})-[^/]*\.md(?:#|$)/.exec(target)?.[1]
  return number === undefined || record === undefined || Number(number) === Number(record)
    ? null
    : `the link "${text}" leads to record ${record}`
}

/** Paths in backticks that begin with a folder of the repository must exist, too. */
const listPaths = (text: string): string[] =>
  [...text.matchAll(/`((?:packages|apps|tools|docs|fixtures|\.ci)\/[\w./-]*)`/g)].map((match) => match[1]!)

function checkPage(tree: SourceTree, page: string, text: string): TidyFinding[] {
  const prose = withoutFences(text)
  const links = [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => checkLink(tree, page, match[1]!))
  const numbers = [...prose.matchAll(/\[([^\]]+)\]\(([^)\s]+)\)/g)].map((match) => checkNumber(match[1]!, match[2]!))
  const paths = listPaths(prose).map((path) => (exists(tree, path) ? null : `${path} does not exist`))
  return [...links, ...numbers, ...paths]
    .filter((message) => message !== null)
    .map((message) => ({ file: page, message }))
}

/** `npm run x` in a page must be a script of package.json, and the file of every script must exist. */
function checkScripts(tree: SourceTree): TidyFinding[] {
  const manifest = JSON.parse(tree.files.get('package.json') ?? '{}') as { scripts?: Record<string, string> }
  const packageScripts = manifest.scripts ?? {}
  const unknownScripts = [...tree.files]
    .filter(([path]) => path.endsWith('.md'))
    .flatMap(([file, text]) =>
      [...text.matchAll(/\bnpm run ([a-z][\w:-]*)/g)]
        .filter((match) => packageScripts[match[1]!] === undefined)
        .map((match) => ({ file, message: `there is no script "${match[1]}"` })),
    )
  const files = Object.entries(packageScripts).flatMap(([name, line]) =>
    line
      .split(' ')
      .filter((word) => /^(tools|packages)\/.+\.(ts|mjs)$/.test(word) && !exists(tree, word))
      .map((word) => ({ file: 'package.json', message: `the script "${name}" starts ${word}, which does not exist` })),
  )
  return [...unknownScripts, ...files]
}

export const linksRule: TidyRule = {
  name: 'links',
  reason: 'Links, paths and scripts named in documents exist.',
  check: (tree) => [
    ...[...tree.files].filter(([path]) => path.endsWith('.md')).flatMap(([path, text]) => checkPage(tree, path, text)),
    ...checkScripts(tree),
  ],
}
