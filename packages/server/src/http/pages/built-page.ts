import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { FastifyReply } from 'fastify'

const retry_after_s = 3

const style = `:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; display: grid; place-content: center; min-height: 90vh; padding: 0 1.2rem }
h1 { font-size: 1.3rem; margin: 0 }`

/** It asks again by itself. */
const unavailablePage =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
  `<meta http-equiv="refresh" content="${retry_after_s}"><title>The console is being built – Swath</title>` +
  `<style>${style}</style></head><body><main><h1>The console is being built</h1>` +
  '<p>It takes some seconds. This page opens by itself when it is ready.</p></main></body></html>'

const unavailablePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'` // prettier-ignore

/** The text of a page of the built console, read each time: a build while the server runs has other hashes. Null while there is none. */
export async function readBuiltPage(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** Says that the console is being built, with 503; the page asks again by itself. */
export const sendUnavailablePage = (reply: FastifyReply): FastifyReply =>
  reply
    .code(503)
    .headers({
      'retry-after': String(retry_after_s),
      'cache-control': 'no-store',
      'content-security-policy': unavailablePolicy,
    })
    .type('text/html; charset=utf-8')
    .send(unavailablePage)
