import type { Operation } from '@swath/contract/operation.ts'
import { problems, type ProblemName } from '@swath/contract/problems.ts'
import { registry } from '@swath/contract/registry.ts'
import { escapeHtml } from '../../platform/html/escape-html.ts'

const style = `
  :root { color-scheme: light dark; --line: #8884; --soft: #8882 }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
  code, pre { font: 13px/1.45 ui-monospace, monospace }
  pre { background: var(--soft); padding: .8rem; overflow-x: auto; border-radius: 6px }
  h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line) }
  details { border-bottom: 1px solid var(--line); padding: .35rem 0 }
  summary { cursor: pointer; display: flex; gap: .8rem; flex-wrap: wrap; align-items: baseline }
  summary code { font-weight: 600 }
  .tag { font-size: 12px; padding: 0 .4rem; border: 1px solid var(--line); border-radius: 4px }
  table { border-collapse: collapse; margin: .6rem 0 }
  td, th { text-align: left; padding: .15rem .9rem .15rem 0; vertical-align: top }
  nav { columns: 4 10rem }`

const renderPage = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">` +
  `<title>${escapeHtml(title)}</title><style>${style}</style></head><body>${body}</body></html>`

interface Property {
  readonly type?: string
  readonly anyOf?: readonly Property[]
  readonly const?: unknown
  readonly format?: string
  readonly description?: string
  readonly default?: unknown
}

/** A short description of a schema, such as `string (uuid) or null`. */
function describeType(schema: Property): string {
  if (schema.anyOf) return [...new Set(schema.anyOf.map(describeType))].join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  return schema.format ? `${schema.type} (${schema.format})` : (schema.type ?? 'any')
}

function renderInputTable(operation: Operation): string {
  const { properties = {}, required = [] } = operation.input as {
    properties?: Record<string, Property>
    required?: string[]
  }
  const rows = Object.entries(properties).map(([name, schema]) => {
    const defaultText = schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`
    return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(describeType(schema))}</td><td>${
      required.includes(name) ? 'required' : escapeHtml(defaultText)
    }</td><td>${escapeHtml(schema.description ?? '')}</td></tr>`
  })
  return rows.length === 0 ? '<p>No input.</p>' : `<table>${rows.join('')}</table>`
}

function renderOperation(operation: Operation): string {
  const tags = [operation.scope ?? 'any token', operation.effect]
  const problemLinks = operation.problems.map((name) => `<a href="/problems/${name}">${name}</a>`).join(', ')
  return (
    `<details id="${operation.id}"><summary><code>${operation.id}</code>` +
    `${tags.map((tag) => `<span class="tag">${escapeHtml(tag)}</span>`).join('')}<span>${escapeHtml(operation.summary)}</span></summary>` +
    `<p><code>POST /v1/op/${operation.id}</code> · <code>POST /v1/${operation.id.replaceAll('.', '/')}</code></p>` +
    `${renderInputTable(operation)}${problemLinks ? `<p>Problems: ${problemLinks}</p>` : ''}</details>`
  )
}

/**
 * All operations on one page, grouped by the first part of their id.
 *
 * @param tryPath of the page that calls them; null if there is none.
 */
export function renderDocsPage(tryPath: string | null): string {
  const operationsByModule = Map.groupBy(registry, (operation) => operation.id.split('.')[0] ?? '')
  const sections = [...operationsByModule].map(
    ([moduleName, operations]) =>
      `<h2 id="${moduleName}">${moduleName}</h2>${operations.map(renderOperation).join('')}`,
  )
  const links = [...operationsByModule.keys()]
    .map((moduleName) => `<a href="#${moduleName}">${moduleName}</a><br>`)
    .join('')
  return renderPage(
    'Swath API',
    `<h1>Swath API</h1><p>${registry.length} operations. The contract as OpenAPI 3.1: <a href="/openapi.json">/openapi.json</a>.` +
      `${tryPath === null ? '' : ` <a href="${tryPath}">Try them in the browser</a>.`}</p>` +
      `<p>Sign in at <code>POST /realms/public/protocol/openid-connect/token</code>, then send ` +
      `<code>Authorization: Bearer …</code> with every call.</p><nav>${links}</nav>${sections.join('')}`,
  )
}

/** The page at the `type` URL of a problem document. */
export function renderProblemPage(name: ProblemName): string {
  const definition = problems[name]
  return renderPage(
    definition.title,
    `<h1>${escapeHtml(definition.title)}</h1><p><code>${name}</code> · status ${definition.status}</p><p>${escapeHtml(definition.meaning)}</p>` +
      `<p><a href="/docs">All operations</a></p>`,
  )
}
