import { group, whole } from './setting-kinds.ts'

const limits = group('Limits')

const mebibyte = 1024 * 1024

/** What a process holds of responses until their readers have taken them. */
export const responseSettings = {
  in_flight_limit_bytes: limits(
    'RESPONSE_BYTES_IN_FLIGHT',
    whole(mebibyte, 1_048_576 * mebibyte),
    String(128 * mebibyte),
    'Bytes of responses that this process holds for one organization at once, until its clients have read them.',
  ),
  in_flight_total_bytes: limits(
    'RESPONSE_BYTES_IN_FLIGHT_TOTAL',
    whole(mebibyte, 1_048_576 * mebibyte),
    String(512 * mebibyte),
    'The same for all organizations together.',
  ),
} as const
