import fastify from 'fastify'

/** The baseline for calls: Fastify with one route that sends fixed bytes. */
const app = fastify({ logger: false })
const { BARE_BODY: text = '{}', BARE_ENCODING: encoding } = process.env
/** Bytes in base64, or text as it is. */
const body = encoding === 'base64' ? Buffer.from(text, 'base64') : text
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'string' }, (_request, received, done) => done(null, received))
app.post('/bare', (_request, reply) =>
  reply.type(encoding === 'base64' ? 'image/png' : 'application/json; charset=utf-8').send(body),
)
process.stdout.write(`is ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
