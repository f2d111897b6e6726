/** One key for each attempt of a person, so that a repeated request is not charged twice. */
export const createIdempotencyKey = (): string => crypto.randomUUID()
