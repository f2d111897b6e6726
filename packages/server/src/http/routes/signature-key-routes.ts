import type { FastifyInstance } from 'fastify'
import type { DocumentSignaturePublicKey } from '../../platform/crypto/document-signer.ts'

/** The path of the keys of signed receipts, a JWK set (RFC 7517). */
export const receiptKeysPath = '/.well-known/receipt-keys.json'

/** The route of the keys that verify signed documents: public, and the same for everybody. */
export function registerSignatureKeyRoutes(app: FastifyInstance, keys: readonly DocumentSignaturePublicKey[]): void {
  app.get(receiptKeysPath, async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=300')
      .type('application/jwk-set+json')
      .send(JSON.stringify({ keys })),
  )
}
