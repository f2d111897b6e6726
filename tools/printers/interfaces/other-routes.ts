import { bytesSchema } from '../openapi.ts'
import { anyText, type DescribedRoute } from './described-route.ts'
import { html, jsonOf, route } from './describe-route.ts'
import { form, keySet } from './identity/identity-schemas.ts'

const state = { type: 'object', required: ['status'], properties: { status: anyText } }

const file = { 'application/octet-stream': bytesSchema }

/** Files at signed addresses, pages without a sign-in, tiles of the base map, and what operators watch. */
export const otherRoutes = ((): DescribedRoute[] => {
  const isPublic = true
  const page = { isPublic, answers: { '200': html }, refusedAs: 'Page' as const }
  return [
    route('GET', '/blobs/{path}', 'Download a file from its signed address.', { isPublic, answers: { '200': file, '206': file, '304': {} }, refusals: [403, 404, 410, 412, 416, 429] }),
    route('PUT', '/blobs/{path}', 'Upload a file to its signed address.', { isPublic, body: 'application/octet-stream', refusals: [400, 403, 404, 410, 413] }),
    route('GET', '/archives/{path}', 'Download files as one archive from its signed address.', { isPublic, answers: { '200': { 'application/zip': bytesSchema } }, refusals: [403, 404, 410, 429] }),
    route('GET', '/share/{token}', 'The page of a share link.', { ...page, refusals: [404, 410, 429] }),
    route('POST', '/share/{token}', 'Open a share link with its password.', { ...page, body: form, refusals: [403, 404, 410, 429] }),
    route('GET', '/share/download', 'Download a file of a share link.', { isPublic, refusedAs: 'Page', answers: { '303': {} }, refusals: [400, 401, 404, 410, 422, 429] }),
    route('GET', '/notifications/unsubscribe', 'Ask whether e-mails end.', page),
    route('POST', '/notifications/unsubscribe', 'End e-mails.', { ...page, body: form }),
    route('GET', '/base-map/{archive}/{z}/{x}/{y}', 'A tile of the base map.', { isPublic, answers: { '200': file, '204': {}, '304': {} }, refusals: [404] }),
    route('POST', '/webhooks/payments', 'Receive an event of the payment processor, by its signature.', { isPublic, body: 'application/json', refusals: [400, 413] }),
    route('GET', '/processor/challenge/{id}', 'The page of the built-in bank that confirms a payment.', { ...page, refusals: [404] }),
    route('POST', '/processor/challenge/{id}', 'Confirm or refuse a payment at the built-in bank.', { ...page, body: form, refusals: [400, 404] }),
    route('GET', '/healthz', 'The process is alive.', { isPublic, answers: jsonOf(state), refusals: [] }),
    route('GET', '/readyz', 'The server can serve.', { isPublic, answers: { ...jsonOf(state), '503': { 'application/json': state } }, refusals: [] }),
    route('GET', '/metrics', 'Metrics in the Prometheus format.', { answers: { '200': { 'text/plain': anyText } }, refusals: [401, 404] }),
    route('GET', '/.well-known/receipt-keys.json', 'The keys of receipts.', { isPublic, answers: { '200': { 'application/jwk-set+json': keySet } } }),
  ]
})() // prettier-ignore
