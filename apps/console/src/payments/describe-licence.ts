import { paymentsTexts } from '../texts/payments.ts'

const { licences } = paymentsTexts

/** A licence in words; those that are not known by all providers, such as an SPDX id, keep their own. */
export const describeLicence = (licence: string): string =>
  Object.hasOwn(licences, licence) ? licences[licence as keyof typeof licences] : licence
