//! How requests to Amazon Bedrock are authorised: by a bearer key where there is one, else by a signature with the keys
//! that the environment holds for Amazon Web Services, for one region.

use runner::{AwsKeys, KeyHeader, Provider, RequestSigner, Secret, aws_region_of};

use crate::clock;
use crate::environment::{self, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, BEDROCK_KEY};
use crate::error::Failure;
use crate::targets::TargetPlan;

/// What every request carries.
pub(crate) enum Authorization {
    /// A bearer key.
    Key(Secret),
    /// A signature, and the keys that it is made with.
    Signature(RequestSigner, AwsKeys),
    /// Nothing: a server of one's own, or a gateway that asks for something else.
    Nothing,
}

impl Authorization {
    /// The key, the signer, and what must never be shown.
    pub(crate) fn parts(self) -> (Option<Secret>, Option<RequestSigner>, Vec<Secret>) {
        match self {
            Self::Key(key) => (Some(key.clone()), None, vec![key]),
            Self::Signature(signer, keys) => {
                let AwsKeys { access_key_id, secret_access_key, session_token } = keys;
                let secrets = [Some(secret_access_key), session_token, Some(access_key_id)];
                (None, Some(signer), secrets.into_iter().flatten().collect())
            }
            Self::Nothing => (None, None, Vec::new()),
        }
    }
}

/// Settles how requests of a target are authorised. What the environment holds for Amazon Web Services in general goes
/// to no gateway, unless its target names a region: then it is the target's own word that they are signed.
pub(crate) fn authorization(
    plan: &TargetPlan,
    service: &'static str,
    base_url: &str,
) -> Result<Authorization, Failure> {
    let record = &plan.record;
    let named = record.key_env.as_deref();
    if let Some(key) = named.and_then(environment::secret) {
        return Ok(Authorization::Key(Secret::new(key)));
    }
    let has_own = record.headers_env.keys().any(|name| name.eq_ignore_ascii_case("authorization"));
    if !has_own && (record.gateway.is_none() || record.region.is_some()) {
        if let Some(key) = environment::secret(BEDROCK_KEY).filter(|_| named.is_none()) {
            return Ok(Authorization::Key(Secret::new(key)));
        }
        if let Some(keys) = aws_keys(plan)? {
            let region = region(plan, base_url)?;
            return Ok(Authorization::Signature(
                RequestSigner::new(&keys, service, region, clock::now),
                keys,
            ));
        }
    }
    if named.is_none() && (has_own || aws_region_of(base_url).is_none()) {
        return Ok(Authorization::Nothing);
    }
    let message = format!(
        "target `{}` has no key: neither `{}` is set, nor `{AWS_ACCESS_KEY_ID}` and `{AWS_SECRET_ACCESS_KEY}`",
        plan.id,
        named.unwrap_or(BEDROCK_KEY)
    );
    Err(Failure::usage(message)
        .with_help("set the first to a Bedrock API key, or the other two to have requests signed (`AWS_SESSION_TOKEN` beside them where the key is good for a while only)"))
}

fn aws_keys(plan: &TargetPlan) -> Result<Option<AwsKeys>, Failure> {
    let secret = |name: &str| environment::secret(name).map(Secret::new);
    let half = |there: &str, missing: &str| {
        Failure::usage(format!("target `{}`: `{there}` is set and `{missing}` is not", plan.id))
    };
    match (secret(AWS_ACCESS_KEY_ID), secret(AWS_SECRET_ACCESS_KEY)) {
        (Some(access_key_id), Some(secret_access_key)) => {
            Ok(Some(AwsKeys { access_key_id, secret_access_key, session_token: secret(AWS_SESSION_TOKEN) }))
        }
        (Some(_), None) => Err(half(AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY)),
        (None, Some(_)) => Err(half(AWS_SECRET_ACCESS_KEY, AWS_ACCESS_KEY_ID)),
        (None, None) => Ok(None),
    }
}

/// The region: the target's own word, else what the host says, else the environment.
fn region(plan: &TargetPlan, base_url: &str) -> Result<String, Failure> {
    let in_host = || aws_region_of(base_url).filter(|region| !region.is_empty());
    let own = plan.record.region.clone();
    own.or_else(in_host).or_else(environment::aws_region).ok_or_else(|| {
        let message = format!("target `{}` signs its requests and knows no region for it", plan.id);
        Failure::usage(message)
            .with_help("give it: `region` in the configuration, or the variable `AWS_REGION`")
    })
}

/// Where a region is asked.
pub(crate) fn public_url(region: &str) -> String {
    let domain = if region.starts_with("cn-") { "amazonaws.com.cn" } else { "amazonaws.com" };
    format!("https://bedrock-runtime.{region}.{domain}")
}

/// A region is one, and of a target that is signed for.
pub(crate) fn check_region(target: &str, provider: &Provider, region: &str) -> Result<(), Failure> {
    if !matches!(provider.key, KeyHeader::BearerOrSignature(_)) {
        return Err(Failure::usage(format!(
            "target `{target}` names a region, and `{}` knows none",
            provider.name
        )));
    }
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if region.is_empty() || !region.bytes().all(is_plain) {
        return Err(Failure::usage(format!("target `{target}`: `{region}` is no region"))
            .with_help("write it as in `eu-north-1`"));
    }
    Ok(())
}
