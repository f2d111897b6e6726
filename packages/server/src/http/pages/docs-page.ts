import type { Operation } from '@swath/contract/operation.ts'
import { type ProblemName, problems } from '@swath/contract/problems.ts'
import { operationRegistry } from '@swath/contract/registry.ts'
import { escapeHtml } from '../../platform/html/escape-html.ts'

const style = `
  :root { color-scheme: light dark; --line: #8884; --soft: #8882 }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
  code, pre { font: 13px/1.45 ui-monospace, monospace }
  pre { background: var(--soft); padding: .8rem; overflow-x: auto; border-radius: 6px }
  h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line) }
  .tag { font-size: 12px; padding: 0 .4rem; border: 1px solid var(--line); border-radius: 4px }
  table { border-collapse: collapse; margin: .6rem 0; display: block; overflow-x: auto }
  td, th { text-align: left; padding: .15rem .9rem .15rem 0; vertical-align: top }
  nav { columns: 4 10rem }`

/** A page of plain HTML with inline styles, without scripts. */
export const renderHtmlPage = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body}</body></html>`

/** The path of the pages on the operations of a module: `/docs/reference/<module>#<operation id>`. */
export const apiReferencePath = '/docs/reference'

const moduleNameOf = (operation: Operation): string => operation.id.split('.')[0] ?? ''

function renderOperation(operation: Operation): string {
  const tags = [operation.scope ?? 'any token', operation.effect]
  return (
    `<tr id="${operation.id}"><td><a href="${apiReferencePath}/${moduleNameOf(operation)}#${operation.id}"><code>${operation.id}</code></a></td>` +
    `<td>${escapeHtml(operation.summary)} ${tags.map((tag) => `<span class="tag">${escapeHtml(tag)}</span>`).join(' ')}</td></tr>`
  )
}

const renderProblemLinks = (): string =>
  Object.keys(problems)
    .map((name) => `<a href="/problems/${name}">${name}</a>`)
    .join(', ')

/**
 * All operations on one page, grouped by the first part of their id, each with a link to its place in the reference.
 *
 * @param tryPath of the page that calls them; null if there is none.
 */
export function renderDocsPage(tryPath: string | null): string {
  const operationsByModule = Map.groupBy(operationRegistry, moduleNameOf)
  const sections = [...operationsByModule].map(
    ([moduleName, operations]) =>
      `<h2 id="${moduleName}"><a href="${apiReferencePath}/${moduleName}">${moduleName}</a></h2><table>${operations.map(renderOperation).join('')}</table>`,
  )
  const links = [...operationsByModule.keys()]
    .map((moduleName) => `<a href="#${moduleName}">${moduleName}</a><br>`)
    .join('')
  return renderHtmlPage(
    'Swath API',
    `<h1>Swath API</h1><p>${operationRegistry.length} operations. The contract as OpenAPI 3.1: <a href="/openapi.json">/openapi.json</a>.` +
      `${tryPath === null ? '' : ` <a href="${tryPath}">Try them in the browser</a>.`}</p>` +
      `<p>Sign in at <code>POST /realms/public/protocol/openid-connect/token</code>, then send ` +
      `<code>Authorization: Bearer …</code> with every call.</p>` +
      `<p><a href="${apiReferencePath}/schemas">Schemas</a> that several operations share. Problems: ${renderProblemLinks()}.</p>` +
      `<nav>${links}</nav>${sections.join('')}`,
  )
}

/** The page at the `type` URL of a problem document. */
export function renderProblemPage(name: ProblemName): string {
  const definition = problems[name]
  return renderHtmlPage(
    definition.title,
    `<h1>${escapeHtml(definition.title)}</h1><p><code>${name}</code> · status ${definition.status}</p><p>${escapeHtml(definition.meaning)}</p>` +
      `<p><a href="/docs">All operations</a></p>`,
  )
}
