import { readFileSync } from 'node:fs'
import fastify from 'fastify'

/** The baseline for calls: Fastify with one route that sends fixed bytes. */
const app = fastify({ logger: false })
const { BARE_BODY: text = '{}', BARE_IMAGE: image } = process.env
/** Text, or the bytes of a file: an image may be larger than a variable of the environment. */
const body = image === undefined ? text : readFileSync(image)
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'string' }, (_request, received, done) => done(null, received))
app.post('/bare', (_request, reply) =>
  reply.type(image === undefined ? 'application/json; charset=utf-8' : 'image/png').send(body),
)
process.stdout.write(`is ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
