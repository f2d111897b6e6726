/** A part of the product that operators switch for organizations while it is new. */
export interface FeatureFlag {
  /** The module whose authors decide when the flag is removed. */
  readonly owner: string
  /** The effect of the flag, in one sentence. */
  readonly description: string
  /** The share of organizations that have it if no operator has set another one. */
  readonly default_percent: number
}

/** Every feature flag. One that is on for everybody for good is removed, with its condition in the code. */
export const featureFlags = {
  zarr_conversion: {
    owner: 'processing',
    description: 'The process format-conversion writes Zarr stores.',
    default_percent: 100,
  },
} as const satisfies Readonly<Record<string, FeatureFlag>>

export type FeatureFlagName = keyof typeof featureFlags

export const featureFlagNames = Object.keys(featureFlags) as FeatureFlagName[]
