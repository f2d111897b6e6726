import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { launchBrowser } from '../../console/browser.ts'
import { disposeWith } from '../harness/resources.ts'
import type { SuitePlatform, SuiteResult } from './suite-platform.ts'

const imports = {
  '@swath/client': '/node_modules/@swath/client/index.js',
  'eventsource-parser': '/node_modules/eventsource-parser/dist/index.js',
}

const page = `<!doctype html><title>Suite</title><script type="importmap">${JSON.stringify({ imports })}</script>`

/** A web server with the files of the project, of another origin than the platform. */
async function serveFiles(project: string): Promise<AsyncDisposable & { readonly url: string }> {
  const server: Server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const type = path === '/' ? 'text/html' : 'text/javascript'
    const body = path === '/' ? Promise.resolve(page) : readFile(join(project, path))
    body.then(
      (bytes) => response.writeHead(200, { 'content-type': type }).end(bytes),
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return disposeWith({ url: `http://127.0.0.1:${port}/` }, async () => void server.close())
}

/** Runs the suite in a page that loads the package as modules, without a bundler. */
export async function runInChromium(project: string, platform: SuitePlatform): Promise<SuiteResult> {
  await using files = await serveFiles(project)
  await using browser = disposeWith(await launchBrowser(), (launched) => launched.close())
  const tab = await browser.newPage()
  await tab.goto(files.url)
  // Awaited here: the browser is closed when this returns.
  return await tab.evaluate(async (given) => {
    const suite = '/suite.mjs'
    const { runSuite } = (await import(suite)) as { runSuite: (platform: SuitePlatform) => Promise<SuiteResult> }
    return runSuite(given)
  }, platform)
}
