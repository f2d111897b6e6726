import { randomBytes, randomUUID } from 'node:crypto'

/** A new idempotency key: repeats of a call with it are done once. */
export const createIdempotencyKey = (): string => randomUUID()

/** A new signing secret for webhooks, in the form of the platform's (Standard Webhooks). */
export const createSigningSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`

/** A new password of 96 bits that can be read out. */
export const createPassword = (): string => randomBytes(12).toString('base64url')
