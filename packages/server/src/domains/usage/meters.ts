import { createCallMeter, type CallMeter } from './call-meter.ts'
import { createEgressMeter, type EgressMeter } from './egress-meter.ts'

/** The meters that count usage in the memory of a process and write it from time to time. */
export interface Meters {
  readonly meter: EgressMeter
  readonly callMeter: CallMeter
}

export const createMeters = (dependencies: Parameters<typeof createCallMeter>[0]): Meters => ({
  meter: createEgressMeter(dependencies),
  callMeter: createCallMeter(dependencies),
})
