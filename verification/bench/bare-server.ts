import fastify from 'fastify'

/** The baseline for calls: Fastify with one route that sends fixed bytes. */
const app = fastify({ logger: false })
const body = process.env['BARE_BODY'] ?? '{}'
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text))
app.post('/bare', (_request, reply) => reply.type('application/json; charset=utf-8').send(body))
process.stdout.write(`is ready at ${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
