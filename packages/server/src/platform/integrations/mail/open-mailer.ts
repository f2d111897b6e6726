import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer'
import type { Config } from '../../config.ts'
import { isLoopback } from '../../loopback.ts'
import { MailFailure, type Mailer, type MailMessage } from './mailer.ts'

/** Time to connect, to be greeted, and without a response. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000, dnsTimeout: 10_000 }

/** The mailer of the configuration: an SMTP server, or without one the folder `outbox` of the data folder. */
export const openMailer = ({
  smtp_url,
  mail_from,
  data_dir,
}: Pick<Config, 'smtp_url' | 'mail_from' | 'data_dir'>): Mailer =>
  smtp_url === null ? createFileMailer(join(data_dir, 'outbox'), mail_from) : createSmtpMailer(smtp_url, mail_from)

/** True for a server to which a password would otherwise go over the network in clear text, if somebody on the way removes STARTTLS. */
function needsEncryption(smtp_url: string): boolean {
  const { protocol, username, password, hostname } = new URL(smtp_url)
  return protocol === 'smtp:' && (username !== '' || password !== '') && !isLoopback(hostname)
}

/** How an SMTP server is spoken to. */
export const toSmtpOptions = (url: string) => ({
  url,
  ...timeouts,
  requireTLS: needsEncryption(url),
  disableFileAccess: true,
  disableUrlAccess: true,
})

/**
 * Sends over SMTP; with `smtps:` the connection is encrypted always, with `smtp:` if the server offers it, and always if there is a
 * password. `requireTLS` in the query of the URL decides otherwise.
 */
export function createSmtpMailer(url: string, from: string): Mailer {
  const transport = createTransport(toSmtpOptions(url))
  return {
    send: async (message) => {
      await deliver(transport, toMailOptions(from, message))
    },
  }
}

/** Writes each e-mail to a file `<id>.eml`; a repetition replaces it. */
export function createFileMailer(folder: string, from: string): Mailer {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'unix',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async (message) => {
      const { message: bytes } = await transport.sendMail(toMailOptions(from, message))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const path = join(folder, `${message.id}.eml`)
      await writeFile(`${path}.part`, bytes as Buffer, { mode: 0o600 })
      await rename(`${path}.part`, path)
    },
  }
}

/** Line breaks would end a header: they become spaces here, whatever the library does with them. */
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

function toMailOptions(from: string, message: MailMessage): SendMailOptions {
  const { name, address } = message.to
  const domain = /@([^\s<>@]+)>?$/.exec(from)?.[1] ?? 'localhost'
  return {
    from,
    to: { name: oneLine(name ?? ''), address },
    subject: oneLine(message.subject),
    text: message.text,
    html: message.html,
    attachments: message.attachments.map(({ file_name, media_type, bytes }) => ({
      filename: oneLine(file_name),
      contentType: oneLine(media_type),
      content: Buffer.from(bytes),
    })),
    date: message.date,
    messageId: `<${message.id}@${domain}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(message.unsubscribe_url === null
        ? {}
        : {
            'List-Unsubscribe': { prepared: true, value: `<${message.unsubscribe_url}>` },
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
    },
  }
}

/** Failures of the connection, whatever code they have: those of the settings, which an operator mends, and not of one e-mail. */
const connectionFailures: ReadonlySet<string | undefined> = new Set(['EAUTH', 'ETLS'])

async function deliver(transport: Transporter, options: SendMailOptions): Promise<void> {
  try {
    await transport.sendMail(options)
  } catch (error) {
    const {
      message,
      code,
      responseCode = 0,
    } = error as Error & { readonly code?: string; readonly responseCode?: number }
    // A code of 4xx asks to try again later; without a code the server was not reached.
    throw new MailFailure(message.slice(0, 500), responseCode >= 500 && !connectionFailures.has(code))
  }
}
