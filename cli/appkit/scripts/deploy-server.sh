#!/bin/sh
# Deploys the server of a native build: deploy-server.sh <host> [<folder of the app>]
# In Xcode as a Run Script phase before the one that bundles, in Gradle as an Exec task: docs/guide/deploy.md has both.
set -eu

host=${1:?"name the host: vercel, netlify or cloudflare"}
# Xcode runs scripts anywhere, and says where ios/ is.
root=${2:-${PROJECT_DIR:+$PROJECT_DIR/..}}

# A build for development asks the development server.
case ${CONFIGURATION:-Release} in
  *Debug*) exit 0 ;;
esac

# Xcode does not have the PATH of the user. React Native's templates say here which Node to run.
for file in .xcode.env .xcode.env.local; do
  if [ -n "${PROJECT_DIR:-}" ] && [ -f "$PROJECT_DIR/$file" ]; then . "$PROJECT_DIR/$file"; fi
done

exec "${NODE_BINARY:-node}" "$(dirname "$0")/../bin/appkit.js" deploy "${root:-.}" --native --host "$host"
