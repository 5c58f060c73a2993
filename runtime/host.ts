/** The part of the runtime that adapters use. They import only this file of this folder. */
export { isStopping, onDraining, startDraining } from './draining.ts';
export { createHandler } from './handler.ts';
export type { Handler, HandlerOptions } from './handler.ts';
export { PERSONAL, toDirectives } from './http/cache-headers.ts';
export type { ToCacheHeaders } from './http/cache-headers.ts';
export { toPathTag } from './http/merged-cache-rule.ts';
export { cancelBody, cancelUnread } from './http/cancel-unread.ts';
export { codedError } from './http/coded-error.ts';
export { isNoneMatch } from './http/etag.ts';
export { offerHasBody, offerMayBeTaken, streamOf } from './http/quick-response.ts';
export { isTooLarge, limitStream, tooLargeError } from './http/limit-stream.ts';
export { isUpgrade, textResponse } from './http/responses.ts';
export { StatusError, statusErrorResponse } from './http/status-error.ts';
export type {
  ConnectedJobs,
  Enqueued,
  JobApp,
  JobEngine,
  JobEnvelope,
  JobOutcome,
  JobTransaction,
} from './jobs/engine.ts';
export { createJobRunner } from './jobs/run-message.ts';
export type { JobRunner } from './jobs/run-message.ts';
export type { ScheduleSettings } from './jobs/schedule.ts';
export type { Manifest, ManifestJob, ServerBuild } from './manifest.ts';
export type { FetchApp, FetchFunction } from './modules/find-fetch-app.ts';
export { toFetchBuild, toServerBuild } from './modules/server-build.ts';
export type { LoadableBuild } from './modules/server-build.ts';
export { BodyUse, countTasks, handled } from './request/body-use.ts';
export type { RunningTasks } from './request/body-use.ts';
export { createRequest, isForbiddenMethod } from './request/create-request.ts';
export type { RequestInitOfHost } from './request/create-request.ts';
export { reportFirst, reportTo } from './request/error-report.ts';
export type { ErrorReporter } from './request/error-report.ts';
export type { HostContext } from './request/handler-context.ts';
export { noteWholeRead, unnoticed } from './request/header-reads.ts';
export { isNative } from './request/notice-copies.ts';
export { noticesCopies } from './request/track-headers.ts';
export { isSaid } from './request/unsaid-reads.ts';
export { HostRequest, HostStream, passForNative, toHostRequest } from './request/host-request.ts';
export { forgetListeners, toHostSignal } from './request/host-signal.ts';
export { READERS, refuseBody, refuseChanges, unreadableBody } from './request/immutable-request.ts';
export { offerQuickRequests } from './request/quick-request.ts';
export { isDisconnect } from './request/is-disconnect.ts';
export { isPromise } from './request/is-promise.ts';
export { printError } from './request/print-error.ts';
export { inReadingContext, readerOf } from './request/reading-context.ts';
export { createCacheRules } from './routing/cache-rules.ts';
export { isDecodable, pathBelow, pathnameOf } from './routing/pathname.ts';
export { createTargetMatcher } from './routing/targets.ts';
export { createTaskSet } from './request/tasks.ts';
export type { TaskSet } from './request/tasks.ts';
