import { jobReceiptKeysServiceKey } from './domains/processing/receipts.ts'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { receivePaymentProcessorEvent } from './domains/card-payments/processor/processor-events.ts'
import type { IdentityService } from './domains/identity/identity.ts'
import { notificationTexts } from './domains/notifications/texts/texts-by-language.ts'
import { unsubscribePath } from './domains/notifications/unsubscribe-links.ts'
import { describeUnsubscribedEmails, unsubscribeFromEmails } from './domains/notifications/unsubscribe.ts'
import { getShareLinkStatus } from './domains/share/authorize-share-link.ts'
import { createDownloadAuthorizer } from './domains/share/download-authorizer.ts'
import { createUploadBodyAuthorizer } from './domains/uploads/authorize-upload-put.ts'
import type { CallPipelineDependencies } from './engine/pipeline/state.ts'
import { registerArchiveRoutes } from './http/routes/archive-routes.ts'
import { registerApiDocumentationRoutes } from './http/routes/document-routes.ts'
import type { HttpRouteContext } from './http/http-call.ts'
import { registerBaseMapRoutes } from './http/routes/base-map-routes.ts'
import { registerConsoleRoutes } from './http/routes/console-routes.ts'
import { registerContractRoutes } from './http/routes/contract-routes.ts'
import { registerHealthRoutes, type HealthRouteOptions } from './http/routes/health-routes.ts'
import { registerOidcRoutes } from './http/routes/oidc-routes.ts'
import { registerOperationRoutes } from './http/routes/operation-routes.ts'
import { resolveBaseUrl, createHttpServer } from './http/server.ts'
import { createPaymentWebhookSender, registerPaymentRoutes } from './http/routes/payment-routes.ts'
import { createResponseBudget } from './http/response-budget.ts'
import { listServedHostNames } from './http/served-hosts.ts'
import { registerShareRoutes } from './http/routes/share-routes.ts'
import { registerProcessesRoutes } from './http/routes/processes-routes.ts'
import { registerScimRoutes } from './http/routes/scim-routes.ts'
import { registerStapiRoutes } from './http/routes/stapi-routes.ts'
import { registerSignatureKeyRoutes } from './http/routes/signature-key-routes.ts'
import { registerSignedBlobRoutes } from './http/routes/signed-blob-routes.ts'
import { registerUnsubscribeRoutes } from './http/routes/unsubscribe-routes.ts'
import type { PaymentProcessorEvent } from './platform/integrations/payments/payments.ts'
import type { PaymentProcessorWebhookListener } from './platform/integrations/payments/embedded/deliver-events.ts'
import type { TaskQueue } from './platform/queue/queue.ts'
import { isBehindProxy } from './platform/config.ts'
import { findUploadUrlOrigin } from './platform/blobs/upload-origin.ts'
import { checkReadiness } from './platform/readiness.ts'
import type { Services } from './services.ts'

/** The documents that tools/documents generates from the contract. */
const documentsRoot = new URL('../dist/', import.meta.url)
const baseMapRoot = new URL('../base-map/', import.meta.url)
const consoleRoot = new URL('../../../apps/console/dist/', import.meta.url)

/** Creates the HTTP server with all routes, not yet listening. */
export function createServerWithRoutes(
  services: Services,
  pipeline: CallPipelineDependencies,
  queue: TaskQueue,
  identity: IdentityService,
): FastifyInstance {
  const { config, clock, log, disk, meter: egressMeter, metrics } = services
  const { base_url: baseUrl, body_limit_bytes, upload_limit_bytes } = config
  const playMoney = services.integrations.payments.env !== 'live'
  const fastify = createHttpServer({
    trustProxy: config.trust_proxy,
    log,
    metrics,
    baseUrl,
    ...(baseUrl === null ? { servedHosts: listServedHostNames(config.host) } : {}),
    hsts_max_age_s: config.hsts_max_age_s,
    playMoney,
    connections: config,
    responseBudget: createResponseBudget(config),
  })
  const http: HttpRouteContext = { pipeline, baseUrl, body_limit_bytes }
  registerOperationRoutes(fastify, http)
  registerContractRoutes(fastify, http)
  registerStapiRoutes(fastify, http)
  registerProcessesRoutes(fastify, http)
  registerHealthRoutes(fastify, healthRouteOptions(services))
  const hasConsole = registerConsole(fastify, services)
  registerBaseMapRoutes(fastify, fileURLToPath(baseMapRoot))
  registerApiDocumentationRoutes(fastify, { folder: documentsRoot, baseUrl, hasConsole })
  registerOidcRoutes(fastify, identity)
  registerScimRoutes(fastify, { baseUrl, body_limit_bytes, handle: identity.scim })
  registerSignatureKeyRoutes(fastify, services.processServices.get(jobReceiptKeysServiceKey))
  const onEvent = (event: PaymentProcessorEvent): Promise<void> =>
    receivePaymentProcessorEvent({ database: services.database, queue, clock }, event)
  registerPaymentRoutes(fastify, { payments: services.integrations.payments, embedded: services.embedded, onEvent })
  const { authorize, recordEgress, openArchiveDownload } = createDownloadAuthorizer(services, egressMeter)
  registerArchiveRoutes(fastify, { openArchive: openArchiveDownload })
  registerPageRoutes(fastify, services, http, hasConsole)
  if (disk) {
    registerSignedBlobRoutes(fastify, {
      ...disk,
      clock,
      upload_limit_bytes,
      admit: authorize,
      admitPut: createUploadBodyAuthorizer(services),
      onSent: recordEgress,
      baseUrlOf: (request) => resolveBaseUrl(request, baseUrl),
    })
  }
  return fastify
}

/** The options of the routes for monitoring. */
const healthRouteOptions = ({ config, database, blobs, metrics }: Services): HealthRouteOptions => ({
  checkReady: () => checkReadiness({ database, blobs, data_dir: config.data_dir }),
  renderMetrics: () => metrics.print(),
  metrics_token: config.metrics_token,
  trusts_local_clients: !isBehindProxy(config),
})

/** Creates the HTTP server of a process that only runs tasks: its health and its metrics, not yet listening. */
export function createMonitoringServer(services: Services): FastifyInstance {
  const { config, log, metrics } = services
  const fastify = createHttpServer({ trustProxy: config.trust_proxy, log, metrics, baseUrl: null })
  registerHealthRoutes(fastify, healthRouteOptions(services))
  return fastify
}

/** The pages for people who are not signed in: share links, and the end of e-mails. */
function registerPageRoutes(
  fastify: FastifyInstance,
  services: Services,
  http: HttpRouteContext,
  hasConsole: boolean,
): void {
  registerShareRoutes(fastify, {
    ...http,
    documentFile: hasConsole ? fileURLToPath(new URL('share.html', consoleRoot)) : null,
    readLinkState: (token, visit) => getShareLinkStatus(services, token, visit),
  })
  registerUnsubscribeRoutes(fastify, {
    path: unsubscribePath,
    textsIn: (language) => ({ ...notificationTexts[language].page, end: notificationTexts[language].mail.end }),
    describe: (token, language) => describeUnsubscribedEmails(services, token, language),
    unsubscribe: (token) => unsubscribeFromEmails(services, token),
  })
}

const registerConsole = (fastify: FastifyInstance, { config, blobs }: Services): boolean =>
  registerConsoleRoutes(fastify, fileURLToPath(consoleRoot), {
    readUploadOrigin: () => findUploadUrlOrigin(blobs),
    baseMaps: config.console_base_maps,
  })

/** Receives the events of the embedded processor: as webhooks, unless another processor has the webhook route. */
export function createEmbeddedProcessorListener(
  { integrations, embedded, database, clock }: Services,
  queue: TaskQueue,
  fastify: FastifyInstance,
): PaymentProcessorWebhookListener {
  if (integrations.payments === embedded) return createPaymentWebhookSender(fastify)
  return async (body, signature) =>
    receivePaymentProcessorEvent({ database, queue, clock }, await embedded.readEvent(body, signature))
}
