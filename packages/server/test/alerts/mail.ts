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
  /** How each of them came. */
  readonly sessions: { readonly secure: boolean; readonly user: string | null }[]
  /** Answers the next recipient with this code. */
  refuseNext(responseCode: number): void
  close(): Promise<void>
}

/** What a server wants of those who send. */
export interface SmtpSecurity {
  /** Of the host `localhost`; the server offers STARTTLS with it. */
  readonly certificate: { readonly cert: string; readonly key: string }
  /** Nobody else may send. */
  readonly user: string
  readonly password: string
}

const openToAll: SMTPServerOptions = { authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'] }

const securedBy = ({ certificate, user, password }: SmtpSecurity): SMTPServerOptions => ({
  ...certificate,
  // It does not offer AUTH before STARTTLS.
  onAuth: (auth, _session, callback) =>
    auth.username === user && auth.password === password
      ? callback(null, { user })
      : callback(Object.assign(new Error('wrong password'), { responseCode: 535 })),
})

/** An SMTP server on this machine that stores the e-mails it receives; open to all by default. */
export async function startSmtpServer(security: SmtpSecurity | null = null): Promise<TestSmtpServer> {
  const received: ParsedMail[] = []
  const sessions: TestSmtpServer['sessions'] = []
  const refusals: number[] = []
  const onRcptTo: SMTPServerOptions['onRcptTo'] = (_address, _session, callback) => {
    const responseCode = refusals.shift()
    callback(responseCode === undefined ? null : Object.assign(new Error('refused'), { responseCode }))
  }
  const server = new SMTPServer({
    ...(security ? securedBy(security) : openToAll),
    onRcptTo,
    onData: (stream, { secure, user = null }, callback) => {
      simpleParser(stream).then(
        (mail) => {
          received.push(mail)
          sessions.push({ secure, user: user === null ? null : String(user) })
          callback()
        },
        (error: Error) => callback(error),
      )
    },
  })
  // Clients that do not trust its certificate end the connection.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the SMTP server has no port')
  const { user, password } = security ?? {}
  const login = user === undefined ? '' : `${encodeURIComponent(user)}:${encodeURIComponent(password!)}@`
  return {
    url: `smtp://${login}${security ? 'localhost' : '127.0.0.1'}:${address.port}`,
    received,
    sessions,
    refuseNext: (responseCode) => void refusals.push(responseCode),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
