/**
 * The key of a service that lives as long as the process and is shared by its calls and tasks: a thread pool, a worker or
 * a cache. A module declares the keys of its services, because the engine knows no module.
 */
export interface ServiceKey<Service> {
  readonly name: string
  /** Binds the type; it has no value. */
  readonly service?: Service
}

export const defineService = <Service>(name: string): ServiceKey<Service> => ({ name })

/** The URL under which clients reach the server, without a trailing slash, for links that no request is the context of. */
export const publicUrlServiceKey = defineService<string>('publicUrl')

/** A key with its service. */
export type ProvidedService = readonly [key: ServiceKey<unknown>, service: unknown]

/** Pairs a key with its service, whose type is that of the key alone. */
export const provideService = <Service>(key: ServiceKey<Service>, service: NoInfer<Service>): ProvidedService => [
  key,
  service,
]

/** The services of a process by their keys; the composition root creates them. */
export class ServiceContainer {
  private readonly services: ReadonlyMap<ServiceKey<unknown>, unknown>

  constructor(provided: readonly ProvidedService[]) {
    this.services = new Map(provided)
  }

  /** The service of a key; throws for one that the composition root does not provide. */
  get<Service>(key: ServiceKey<Service>): Service {
    if (!this.services.has(key)) throw new Error(`the process provides no service "${key.name}"`)
    return this.services.get(key) as Service
  }
}
