/** An e-mail to one person. */
export interface MailMessage {
  /** The same for every attempt: receivers and the outbox recognize a repetition by it. */
  readonly id: string
  readonly to: { readonly name: string | null; readonly address: string }
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly date: Date
  /** The URL that ends such e-mails with one POST (RFC 8058); null for one that comes once. */
  readonly unsubscribe_url: string | null
  readonly attachments: readonly MailAttachment[]
}

export interface MailAttachment {
  readonly file_name: string
  readonly media_type: string
  readonly bytes: Uint8Array
}

/** Sends e-mails, or stores them. */
export interface Mailer {
  /** Throws a `MailFailure`. */
  send(message: MailMessage): Promise<void>
}

/** An e-mail was not accepted. */
export class MailFailure extends Error {
  /** True if the server will refuse it again, such as for an unknown recipient. */
  readonly isPermanent: boolean
  constructor(message: string, isPermanent: boolean) {
    super(message)
    this.name = 'MailFailure'
    this.isPermanent = isPermanent
  }
}
