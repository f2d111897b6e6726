import { defineService } from '../../engine/process-services.ts'
import {
  deriveKeys,
  signTextHmac,
  verifyTextHmacWithAny,
  type CurrentAndAcceptedKeys,
} from '../../platform/crypto/signatures.ts'

/** The subject of an unsubscribe link: the user, and the kind of e-mails that end. */
export interface UnsubscribeSubject {
  readonly organization: string
  readonly user: string
  /** A kind of notification, or `digest`. */
  readonly kind: string
}

/** Links that end e-mails without a sign-in. */
export interface UnsubscribeLinks {
  urlOf(subject: UnsubscribeSubject): string
  /** Null for a token that was not made here. */
  read(token: string): UnsubscribeSubject | null
}

export const unsubscribeLinksServiceKey = defineService<UnsubscribeLinks>('unsubscribeLinks')

/** Path of the page; the server adds its route. */
export const unsubscribePath = '/notifications/unsubscribe'

/** The tokens do not expire: a link in an old e-mail has to work. They permit nothing but to end e-mails. */
export function createUnsubscribeLinks(masterSecrets: CurrentAndAcceptedKeys, publicUrl: string): UnsubscribeLinks {
  const keys = deriveKeys(masterSecrets, 'unsubscribe')
  return {
    urlOf: ({ organization, user, kind }) => {
      const text = `${organization}~${user}~${kind}`
      return `${publicUrl}${unsubscribePath}?token=${encodeURIComponent(`${text}~${signTextHmac(keys[0], text)}`)}`
    },
    read: (token) => {
      const [organization, user, kind, signature, ...rest] = token.split('~')
      if (!organization || !user || !kind || !signature || rest.length > 0) return null
      const isValid = verifyTextHmacWithAny(keys, `${organization}~${user}~${kind}`, signature)
      return isValid ? { organization, user, kind } : null
    },
  }
}
