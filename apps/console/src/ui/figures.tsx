import { formatArea, formatAud, formatBytes, formatCredits, formatTime } from './format.ts'

/** Credits with their sum in dollars. */
export function Credits({ credits, aud }: { credits: number; aud?: number }) {
  return (
    <span className="figures">
      {formatCredits(credits)}
      {aud !== undefined && <small> {formatAud(aud)}</small>}
    </span>
  )
}

/** A time in the zone of the reader; UTC on hover. */
export function Time({ at }: { at: string }) {
  return (
    <time className="figures" dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {formatTime(at)}
    </time>
  )
}

export const Area = ({ km2 }: { km2: number }) => <span className="figures">{formatArea(km2)}</span>

export const Bytes = ({ bytes }: { bytes: number }) => <span className="figures">{formatBytes(bytes)}</span>
