import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { simpleParser, type AddressObject, type ParsedMail } from 'mailparser'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** The e-mails in an outbox as a mail program reads them, in the order of their ids. */
export async function readOutbox(folder: string): Promise<ParsedMail[]> {
  const names = await readdir(folder).catch(() => [])
  const files = names.filter((name) => name.endsWith('.eml')).toSorted()
  return Promise.all(files.map(async (name) => simpleParser(await readFile(join(folder, name)))))
}

/** The addresses of the recipients. */
export const recipientsOf = ({ to }: ParsedMail): (string | undefined)[] =>
  (Array.isArray(to) ? to : to ? [to] : []).flatMap(({ value }: AddressObject) => value.map(({ address }) => address))

/** The values of a header as it was sent; mailparser interprets `List-*`. */
export const headerOf = ({ headerLines }: ParsedMail, name: string): string | undefined =>
  headerLines
    .find(({ key }) => key === name.toLowerCase())
    ?.line.replaceAll(/\r?\n\s+/g, ' ')
    .slice(name.length + 1)
    .trim()

export interface TestSmtpServer {
  readonly url: string
  readonly received: ParsedMail[]
  /** Answers the next recipient with this code. */
  refuseNext(responseCode: number): void
  close(): Promise<void>
}

/** An SMTP server on this machine that stores the e-mails it receives. */
export async function startSmtpServer(): Promise<TestSmtpServer> {
  const received: ParsedMail[] = []
  const refusals: number[] = []
  const onRcptTo: SMTPServerOptions['onRcptTo'] = (_address, _session, callback) => {
    const responseCode = refusals.shift()
    callback(responseCode === undefined ? null : Object.assign(new Error('refused'), { responseCode }))
  }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo,
    onData: (stream, _session, callback) => {
      simpleParser(stream).then(
        (mail) => {
          received.push(mail)
          callback()
        },
        (error: Error) => callback(error),
      )
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the SMTP server has no port')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    received,
    refuseNext: (responseCode) => void refusals.push(responseCode),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
