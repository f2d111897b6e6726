import { readFile } from 'node:fs/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { problems, type ProblemName } from '@swath/contract/problems.ts'
import { operationRegistry } from '@swath/contract/registry.ts'
import { Problem } from '../../engine/problem.ts'
import { apiReferencePath, renderDocsPage, renderProblemPage } from '../pages/docs-page.ts'
import { apiExplorerPagePath } from './console-routes.ts'
import { interfaceNames } from '../../engine/service-descriptions.ts'
import { computeEntityTag } from '../../engine/entity-tag.ts'
import { isNotModified } from '../send-response.ts'
import { resolveBaseUrl } from '../server.ts'

/** No external resources, no scripts: the pages are plain HTML with inline styles. */
const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The media type that the STAC API requires; browsers display the document only as plain JSON. */
const acceptsOpenapi = (accept = ''): boolean => accept.includes('application/vnd.oai.openapi+json')

/** A serialized OpenAPI document before and after its `servers`. */
interface OpenapiParts {
  readonly before: Buffer
  readonly after: Buffer
  readonly etag: string
}

/** Serialized and hashed once: a megabyte takes too long to serialize for each request. */
async function readOpenapiDocument(file: URL): Promise<OpenapiParts> {
  const text = await readDocument(file, 'The OpenAPI document')
  const { servers: _servers, ...document } = JSON.parse(text) as Record<string, unknown>
  const before = Buffer.from(`${JSON.stringify(document).slice(0, -1)},"servers":`)
  return { before, after: Buffer.from('}'), etag: computeEntityTag(before) }
}

/** A printed document; 503 if nothing has printed it. */
async function readDocument(file: URL, title: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Problem(
      'unavailable',
      `${title} was not printed when this server was installed: "npm run build" prints it.`,
    )
  }
}

/** The documents of interfaces, in both versions of OpenAPI. */
const documentFiles = new Set(interfaceNames.flatMap((name) => [`${name}.json`, `${name}-3.0.json`]))

/** Pages of the reference: one for each first segment of an operation id, and one on schemas. */
const referencePages = new Set(['schemas', ...operationRegistry.map(({ id }) => id.split('.')[0] ?? '')])

/**
 * The API documentation and the OpenAPI document, without a token. Files are read at the first request.
 *
 * @param options.folder of the printed documents, `openapi.json` and `reference/`.
 */
export function registerApiDocumentationRoutes(
  app: FastifyInstance,
  options: { folder: URL; baseUrl: string | null; hasConsole: boolean },
): void {
  const { folder, baseUrl, hasConsole } = options
  const documents = new Map<string, OpenapiParts>()
  let docsPage: string | undefined
  // Without BASE_URL the URL of the server comes from the Host header, which clients choose: no shared cache may store it.
  const cacheControl = baseUrl === null ? 'private, no-cache' : 'no-cache'
  const sendOpenapi = async (request: FastifyRequest, reply: FastifyReply, file: string): Promise<FastifyReply> => {
    const parts = documents.get(file) ?? (await readOpenapiDocument(new URL(file, folder)))
    documents.set(file, parts)
    const servers = JSON.stringify([{ url: resolveBaseUrl(request, baseUrl) }])
    const etag = computeEntityTag(parts.etag + servers)
    const openapiType = `application/vnd.oai.openapi+json;version=${file.endsWith('-3.0.json') ? '3.0' : '3.1'}`
    reply
      .type(acceptsOpenapi(request.headers.accept) ? openapiType : 'application/json; charset=utf-8')
      .headers({ etag, vary: 'accept', 'cache-control': cacheControl })
    if (isNotModified(reply, etag)) return reply.code(304).send()
    return reply.send(Buffer.concat([parts.before, Buffer.from(servers), parts.after]))
  }
  const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
    reply.header('content-security-policy', contentSecurityPolicy).type('text/html; charset=utf-8').send(page)
  if (!hasConsole) app.get('/', async (_request, reply) => reply.redirect('/docs', 302))
  app.get('/openapi.json', (request, reply) => sendOpenapi(request, reply, 'openapi.json'))
  app.get('/openapi/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    if (!documentFiles.has(name)) throw new Problem('not-found', 'There is no document of that name.')
    return sendOpenapi(request, reply, `openapi/${name}`)
  })
  app.get('/docs', async (_request, reply) =>
    sendPage(reply, (docsPage ??= renderDocsPage(hasConsole ? apiExplorerPagePath : null))),
  )
  app.get(`${apiReferencePath}/:name`, async (request, reply) => {
    const { name } = request.params as { name: string }
    if (!referencePages.has(name)) throw new Problem('not-found', 'The reference has no page of that name.')
    return sendPage(reply, await readDocument(new URL(`reference/${name}.html`, folder), 'The reference'))
  })
  app.get('/problems/:name', async (request, reply) => {
    const { name } = request.params as { name: string }
    if (!Object.hasOwn(problems, name)) throw new Problem('not-found', 'There is no problem type of that name.')
    return sendPage(reply, renderProblemPage(name as ProblemName))
  })
}
